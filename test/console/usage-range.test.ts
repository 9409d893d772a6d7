import { instantsOf, RANGES, type Range, type Unit } from '../../console/src/pages/usage/range';
import { bucketsOf } from '../../src/domain/calendar-buckets';

const BARS: [range: Range, unit: Unit, bars: number][] = [
  ['24h', 'hour', 24],
  ['7d', 'day', 7],
  ['30d', 'day', 30],
  ['12m', 'month', 12],
];

/** Returns what the API answers for a period up to now. */
const barsOf = (range: Range, unit: Unit, zone: string, now: number) =>
  bucketsOf(zone, unit, instantsOf({ range }, unit, zone, now), 1_000) ?? [];

describe.each([
  // The hours of these begin at a half or a quarter of those of UTC; it is the last of them in a day and in a month.
  ['Asia/Kolkata', '2026-11-30T18:15:00Z'],
  ['America/St_Johns', '2026-12-01T03:20:00Z'],
  ['Asia/Kathmandu', '2026-11-30T18:10:00Z'],
  ['Pacific/Chatham', '2026-11-30T10:05:00Z'],
  // The first of them.
  ['Asia/Kolkata', '2026-11-30T18:45:00Z'],
  ['America/St_Johns', '2026-12-01T03:30:00Z'],
  ['Pacific/Kiritimati', '2026-11-30T09:59:59Z'],
  ['UTC', '2026-11-30T23:59:59Z'],
])('in %s at %s', (zone, at) => {
  const now = Date.parse(at);

  test.each(BARS)(
    'the last %s are drawn as %s bars, of which the current one is the last',
    (range, unit, count) => {
      const bars = barsOf(range, unit, zone, now);
      expect(bars).toHaveLength(count);
      const last = bars.at(-1);
      expect(last?.start).toBeLessThanOrEqual(now);
      expect(last?.end).toBeGreaterThan(now);
    },
  );

  test('the query is the same for the rest of the hour', () => {
    const [last] = barsOf('24h', 'hour', zone, now).slice(-1);
    for (const range of Object.keys(RANGES) as Range[]) {
      const { unit } = RANGES[range];
      expect(instantsOf({ range }, unit, zone, (last?.end ?? 0) - 1)).toEqual(
        instantsOf({ range }, unit, zone, now),
      );
    }
  });
});
