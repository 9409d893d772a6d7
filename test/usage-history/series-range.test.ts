import fc from 'fast-check';
import { DAY_MS } from '../../src/domain/instant';
import { monthsOfDays } from '../../src/usage-history/series-range';

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);

/** Returns how often each day of the spans counts, without those that cancel out. */
function counted({ months, days }: ReturnType<typeof monthsOfDays>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { from, to, sign } of [{ ...months, sign: 1 }, ...days]) {
    for (let at = from; at < to; at += DAY_MS) counts.set(at, (counts.get(at) ?? 0) + sign);
  }
  return new Map([...counts].filter(([, count]) => count !== 0));
}

test('a calendar month is one sum', () => {
  expect(monthsOfDays({ from: day('2026-05-01'), to: day('2026-06-01') })).toEqual({
    months: { from: day('2026-05-01'), to: day('2026-06-01') },
    days: [],
  });
});

test('a month of a zone is one sum, and a day that is added or taken off', () => {
  expect(monthsOfDays({ from: day('2026-05-01'), to: day('2026-05-31') })).toEqual({
    months: { from: day('2026-05-01'), to: day('2026-06-01') },
    days: [{ from: day('2026-05-31'), to: day('2026-06-01'), sign: -1 }],
  });
  expect(monthsOfDays({ from: day('2026-04-30'), to: day('2026-06-01') })).toEqual({
    months: { from: day('2026-05-01'), to: day('2026-06-01') },
    days: [{ from: day('2026-04-30'), to: day('2026-05-01'), sign: 1 }],
  });
});

test('a week is its days', () => {
  const week = { from: day('2026-05-28'), to: day('2026-06-04') };
  expect(monthsOfDays(week)).toEqual({
    months: { from: week.from, to: week.from },
    days: [{ ...week, sign: 1 }],
  });
});

test('whatever the days, each counts once and no other does, in no more sums than days', () => {
  const first = day('2023-11-01') / DAY_MS;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 500 }), (after, length) => {
      const span = { from: (first + after) * DAY_MS, to: (first + after + length) * DAY_MS };
      const made = monthsOfDays(span);
      const expected = Array.from({ length }, (_, n) => [span.from + n * DAY_MS, 1]);
      expect([...counted(made)].sort(([one], [other]) => one - other)).toEqual(expected);
      const beside = made.days.reduce((sum, { from, to }) => sum + (to - from) / DAY_MS, 0);
      expect(beside).toBeLessThanOrEqual(Math.min(length, 31));
    }),
  );
});
