import fc from 'fast-check';
import { BUCKET_INTERVALS, bucketsOf, QUARTER_MS } from '../../src/domain/calendar-buckets';
import { dateOfWallClock } from '../../src/domain/civil-date';
import { wallClockAt } from '../../src/domain/zone';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { cases } from './property';

const at = (text: string): number => Date.parse(text);

const lengths = (zone: string, interval: 'hour' | 'day' | 'month', from: string, to: string): number[] =>
  (bucketsOf(zone, interval, { from: at(from), to: at(to) }, 1_000) ?? []).map(
    ({ start, end }) => (end - start) / HOUR_MS,
  );

const ZONES = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe'],
  ...['America/St_Johns', 'America/Sao_Paulo', 'America/Havana', 'Pacific/Apia', 'Pacific/Chatham'],
  ...['Pacific/Kiritimati', 'Africa/Monrovia', 'Asia/Gaza', 'Antarctica/Troll', 'Africa/Casablanca'],
  ...['America/Caracas', 'Asia/Pyongyang'],
];

test.each(BUCKET_INTERVALS)(
  'every %s of a zone follows the one before, and together they cover the time',
  (interval) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.integer({ min: 0, max: at('2040-01-01T00:00:00Z') }),
        fc.integer({ min: 1, max: interval === 'hour' ? 4 * DAY_MS : 100 * DAY_MS }),
        (zone, from, length) => {
          const to = from + length;
          const buckets = bucketsOf(zone, interval, { from, to }, 1_000) ?? [];
          expect(buckets[0]?.start).toBeLessThanOrEqual(from);
          expect(buckets[0]?.end).toBeGreaterThan(from);
          expect(buckets.at(-1)?.start).toBeLessThan(to);
          expect(buckets.at(-1)?.end).toBeGreaterThanOrEqual(to);
          const wrong = buckets.filter(({ start, end }, index) => {
            const follows = index === 0 || start === buckets[index - 1]?.end;
            return end <= start || !Number.isInteger(start / QUARTER_MS) || !follows;
          });
          expect(wrong).toEqual([]);
          // Any time within a bucket yields the same bucket.
          const [first] = buckets;
          if (first === undefined) throw new Error('There is no bucket.');
          const inside = first.start + Math.floor((first.end - first.start) * 0.9);
          expect(bucketsOf(zone, interval, { from: inside, to: inside + 1 }, 1)).toEqual([first]);
        },
      ),
      cases(400),
    );
  },
);

test('since 1980 every bucket begins as the clock of the zone does', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.constantFrom(...BUCKET_INTERVALS),
      fc.integer({ min: at('1980-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z') }),
      (zone, interval, from) => {
        const [bucket] = bucketsOf(zone, interval, { from, to: from + 1 }, 1) ?? [];
        const start = bucket?.start ?? Number.NaN;
        const wallClock = wallClockAt(zone, start);
        if (interval === 'hour') {
          expect(wallClock % HOUR_MS).toBe(0);
          return;
        }
        // If midnight is skipped, the bucket starts at the next valid time.
        const before = dateOfWallClock(wallClockAt(zone, start - 1));
        const begun = dateOfWallClock(wallClock);
        expect(begun).not.toEqual(before);
        if (interval === 'month') expect(begun.day).toBe(1);
      },
    ),
    cases(600),
  );
});

test('a day that the clock is moved in has 23 or 25 hours, of which each is a bucket', () => {
  expect(lengths('Europe/Berlin', 'day', '2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z')).toEqual([
    24, 23, 24,
  ]);
  expect(lengths('Europe/Berlin', 'day', '2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z')).toEqual([
    24, 25, 24,
  ]);
  const hours = lengths('Europe/Berlin', 'hour', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z');
  expect(hours).toEqual(Array.from({ length: 25 }, () => 1));
});

test('the hours of half-hour and 45-minute zones begin where their clocks do', () => {
  const hour = (zone: string) =>
    bucketsOf(zone, 'hour', { from: at('2026-05-01T10:20:00Z'), to: at('2026-05-01T10:21:00Z') }, 5);
  expect(hour('Asia/Kolkata')).toEqual([
    { start: at('2026-05-01T09:30:00Z'), end: at('2026-05-01T10:30:00Z') },
  ]);
  expect(hour('Asia/Kathmandu')).toEqual([
    { start: at('2026-05-01T10:15:00Z'), end: at('2026-05-01T11:15:00Z') },
  ]);
  // Lord Howe changes its clocks by half an hour.
  expect(lengths('Australia/Lord_Howe', 'hour', '2026-04-04T13:30:00Z', '2026-04-04T16:30:00Z')).toEqual([
    1, 1.5, 1,
  ]);
});

test('an hour that the clock leaves at its half for a full hour has half an hour', () => {
  // Caracas went from 2:30 to 3:00, and Pyongyang from 23:30 to midnight.
  expect(lengths('America/Caracas', 'hour', '2016-05-01T05:30:00Z', '2016-05-01T08:00:00Z')).toEqual([
    1, 0.5, 1,
  ]);
  expect(lengths('Asia/Pyongyang', 'hour', '2018-05-04T13:30:00Z', '2018-05-04T16:00:00Z')).toEqual([
    1, 0.5, 1,
  ]);
});

test('months follow the calendar of the zone', () => {
  expect(lengths('America/New_York', 'month', '2026-02-15T00:00:00Z', '2026-04-01T04:00:00Z')).toEqual([
    28 * 24,
    31 * 24 - 1,
  ]);
});

test('a day that a zone has skipped is no bucket', () => {
  const days = bucketsOf(
    'Pacific/Apia',
    'day',
    { from: at('2011-12-29T12:00:00Z'), to: at('2011-12-31T12:00:00Z') },
    9,
  );
  expect(days?.map(({ start, end }) => (end - start) / HOUR_MS)).toEqual([24, 24, 24]);
});

test('more buckets than are wanted are not made', () => {
  const range = { from: 0, to: at('9999-12-31T00:00:00Z') };
  expect(bucketsOf('Europe/Berlin', 'hour', range, 1_000)).toBeNull();
  expect(bucketsOf('UTC', 'hour', { from: 0, to: 3 * HOUR_MS }, 3)).toHaveLength(3);
  expect(bucketsOf('UTC', 'hour', { from: 0, to: 3 * HOUR_MS + 1 }, 3)).toBeNull();
});
