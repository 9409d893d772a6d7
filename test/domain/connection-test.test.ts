import { needsTest } from '../../src/domain/connection-test';

test.each([
  ['all refused', { answered: 0, refused: 3 }, [], true],
  ['refused or silent', { answered: 0, refused: 1 }, [], true],
  ['still refused', { answered: 0, refused: 3 }, ['authentication'], true],
  ['silent', { answered: 0, refused: 0 }, [], false],
  ['silent, after a failed test', { answered: 0, refused: 0 }, ['authentication'], false],
  ['one refused of several', { answered: 2, refused: 1 }, [], false],
  ['answered', { answered: 3, refused: 0 }, [], false],
  ['answered, after a refused key', { answered: 3, refused: 0 }, ['authentication', 'mode'], true],
  ['answered, after missing permissions', { answered: 3, refused: 0 }, ['permissions'], true],
  ['answered, while a webhook is missing', { answered: 3, refused: 0 }, ['webhook', 'plan_prices'], false],
] as const)(
  'a connection is tested again where answers contradict its last test: %s',
  (_, answers, failed, is) => {
    expect(needsTest(answers, failed)).toBe(is);
  },
);
