import fc from 'fast-check';
import {
  FAILING_MS,
  failingSince,
  outcomeOf,
  whyDisable,
  type Tried,
} from '../../src/domain/webhook-outcome';

test.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [199, 'failed'],
  [300, 'failed'],
  [301, 'failed'],
  [304, 'failed'],
  [404, 'failed'],
  [410, 'gone'],
  [500, 'failed'],
  [null, 'failed'],
] as const)('%s is %s', (status, outcome) => {
  expect(outcomeOf(status)).toBe(outcome);
});

test('an endpoint fails since its first failure after its last success, in whatever order attempts are reported', () => {
  const attempts = fc.array(
    fc.record<Tried>({
      at: fc.integer({ min: 1, max: 1_000 }),
      outcome: fc.constantFrom('delivered', 'failed'),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(fc.option(fc.constant(0)), attempts, (before, tried) => {
      // Two attempts at the same instant have no order.
      const distinct = [...new Map(tried.map((one) => [one.at, one])).values()];
      const sorted = [...distinct].sort((one, other) => one.at - other.at);
      const success = sorted.findLastIndex(({ outcome }) => outcome === 'delivered');
      const first = sorted[success + 1]?.at ?? null;
      expect(failingSince(before, distinct)).toBe(success === -1 ? (before ?? first) : first);
    }),
  );
});

test('a week of failures disables, a moment less does not, and 410 does at once', () => {
  const failed = (at: number): Tried => ({ at, outcome: 'failed' });
  expect(whyDisable(0, [failed(FAILING_MS - 1)])).toBeNull();
  expect(whyDisable(0, [failed(FAILING_MS)])).toBe('failing');
  expect(whyDisable(null, [{ at: FAILING_MS, outcome: 'delivered' }])).toBeNull();
  expect(whyDisable(5, [{ at: 5, outcome: 'gone' }])).toBe('gone');
});

test('of several attempts, the last counts for the week, and any for 410', () => {
  const tried: Tried[] = [
    { at: 1, outcome: 'failed' },
    { at: FAILING_MS, outcome: 'failed' },
  ];
  expect(whyDisable(0, tried)).toBe('failing');
  expect(whyDisable(1, [...tried, { at: 2, outcome: 'gone' }])).toBe('gone');
});
