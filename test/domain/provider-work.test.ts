import { DAY_MS } from '../../src/domain/instant';
import { mayBeInOtherAccount } from '../../src/domain/provider-work';

const since = Date.parse('2026-03-01T00:00:00Z');

test.each([
  ['the same secrets', 3, 3, 0, false],
  ['other secrets', 3, 4, 0, true],
  ['other secrets, a week later', 3, 4, 7, false],
  ['calls that were recorded without them', undefined, 4, 0, false],
])('with %s, what is not found may be elsewhere or not', (_, secretVersion, queried, days, expected) => {
  const at = since + days * DAY_MS;
  expect(mayBeInOtherAccount({ secretVersion, since }, { secretVersion: queried, at })).toBe(expected);
});
