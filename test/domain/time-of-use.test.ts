import fc from 'fast-check';
import { nowInstead, startSoonAfter } from '../../src/domain/time-of-use';
import { MINUTE_MS } from '../../src/domain/instant';

const START = Date.UTC(2026, 2, 1);

test('usage right after a start, by a clock that is behind, counts from the start on', () => {
  expect(startSoonAfter(START - 1, [START])).toBe(START);
  expect(startSoonAfter(START - 5 * MINUTE_MS, [START, START + MINUTE_MS])).toBe(START);
  expect(startSoonAfter(START - 5 * MINUTE_MS - 1, [START])).toBe(START - 5 * MINUTE_MS - 1);
  expect(startSoonAfter(START, [START])).toBe(START);
  expect(startSoonAfter(START, [])).toBe(START);
});

test('a use is only moved forward, to the next start, and by five minutes at most', () => {
  const instant = fc.integer({ min: START, max: START + 30 * MINUTE_MS });
  fc.assert(
    fc.property(instant, fc.array(instant), (at, starts) => {
      const moved = startSoonAfter(at, starts);
      expect(moved - at).toBeGreaterThanOrEqual(0);
      expect(moved - at).toBeLessThanOrEqual(5 * MINUTE_MS);
      if (moved !== at) expect(starts.filter((start) => start > at && start < moved)).toEqual([]);
    }),
  );
});

test('usage right before an end, by a clock that is ahead, counts now', () => {
  const untilEnd = (then: number): boolean => then < START;
  expect(nowInstead(START + MINUTE_MS, START - 1, untilEnd)).toBe(START - 1);
  expect(nowInstead(START - 1, START - MINUTE_MS, untilEnd)).toBe(START - 1);
  expect(nowInstead(START + MINUTE_MS, START, untilEnd)).toBe(START + MINUTE_MS);
  expect(nowInstead(START - MINUTE_MS, START + MINUTE_MS, untilEnd)).toBe(START - MINUTE_MS);
});
