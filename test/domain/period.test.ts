import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { HOUR_MS } from '../../src/domain/instant';
import {
  calendarPeriodAt,
  calendarPeriodContaining,
  type CalendarInterval,
  type Schedule,
} from '../../src/domain/period';
import { cases } from './property';

const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe', // clocks change by half an hour
  'Asia/Kolkata',
  'America/Sao_Paulo', // changed its clocks at midnight
  'Africa/Casablanca', // four clock changes in some years
  'Pacific/Apia', // skipped 30 December 2011
  'Asia/Kathmandu',
  '+05:30',
];
const INTERVALS: CalendarInterval[] = ['day', 'week', 'month', 'year'];

const at = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;
const local = (text: string, timeZone: string): number =>
  Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).epochMilliseconds;
const iso = (instant: number): string => new Date(instant).toISOString();

const instant = fc.integer({ min: at('1971-01-01T00:00Z'), max: at('2099-12-31T00:00Z') });
/** Month ends, leap days and the hours around clock changes, at full hours of the zone. */
const telling = fc
  .tuple(
    fc.integer({ min: 1972, max: 2060 }),
    fc.constantFrom(
      '01-29',
      '01-30',
      '01-31',
      '02-28',
      '02-29',
      '03-08',
      '03-29',
      '03-31',
      '10-25',
      '11-01',
      '12-31',
    ),
    fc.constantFrom('00:00', '00:30', '01:30', '02:00', '02:30', '03:00', '23:59:59.999'),
  )
  .map(([year, day, time]) =>
    Temporal.PlainDateTime.from(`${year}-${day === '02-29' && year % 4 !== 0 ? '02-28' : day}T${time}`),
  );
const schedule: fc.Arbitrary<Schedule> = fc
  .tuple(fc.oneof(instant, telling), fc.constantFrom(...ZONES), fc.constantFrom(...INTERVALS))
  .map(([anchor, timeZone, interval]) => ({
    anchor: typeof anchor === 'number' ? anchor : anchor.toZonedDateTime(timeZone).epochMilliseconds,
    timeZone,
    interval,
  }));

describe('periods from an anchor', () => {
  it('returns to the 31st after the short months', () => {
    const monthly: Schedule = { anchor: at('2026-01-31T09:30Z'), timeZone: 'UTC', interval: 'month' };
    expect([0, 1, 2, 3, 12, 25].map((n) => iso(calendarPeriodAt(monthly, n).start))).toEqual([
      '2026-01-31T09:30:00.000Z',
      '2026-02-28T09:30:00.000Z',
      '2026-03-31T09:30:00.000Z',
      '2026-04-30T09:30:00.000Z',
      '2027-01-31T09:30:00.000Z',
      '2028-02-29T09:30:00.000Z',
    ]);
    expect(iso(calendarPeriodAt(monthly, -2).start)).toBe('2025-11-30T09:30:00.000Z');
  });

  it('returns to 29 February in leap years', () => {
    const yearly: Schedule = { anchor: at('2024-02-29T00:00Z'), timeZone: 'UTC', interval: 'year' };
    expect([1, 3, 4].map((n) => iso(calendarPeriodAt(yearly, n).start).slice(0, 10))).toEqual([
      '2025-02-28',
      '2027-02-28',
      '2028-02-29',
    ]);
  });

  it('keeps midnight midnight when the clocks change', () => {
    const timeZone = 'America/New_York';
    const daily: Schedule = { anchor: local('2026-03-07T00:00', timeZone), timeZone, interval: 'day' };
    const day = calendarPeriodAt(daily, 1);
    expect(day.end - day.start).toBe(23 * HOUR_MS);
    expect(day.end).toBe(local('2026-03-09T00:00', timeZone));
    const monthly: Schedule = { ...daily, interval: 'month' };
    expect(calendarPeriodAt(monthly, 8).start).toBe(local('2026-11-07T00:00', timeZone));
  });

  it('moves a wall-clock time that does not exist behind the gap, for that period only', () => {
    const timeZone = 'America/New_York';
    const daily: Schedule = { anchor: local('2026-03-07T02:30', timeZone), timeZone, interval: 'day' };
    expect(calendarPeriodAt(daily, 1).start).toBe(local('2026-03-08T03:30', timeZone));
    expect(calendarPeriodAt(daily, 2).start).toBe(local('2026-03-09T02:30', timeZone));
  });

  it('starts period 0 at the anchor even in the second pass of a repeated hour', () => {
    const anchor = at('2026-11-01T06:30Z'); // second 01:30 in New York
    const daily: Schedule = { anchor, timeZone: 'America/New_York', interval: 'day' };
    expect(calendarPeriodAt(daily, 0).start).toBe(anchor);
    expect(calendarPeriodContaining(daily, anchor).index).toBe(0);
    expect(calendarPeriodContaining(daily, anchor - 1)).toMatchObject({ index: -1, end: anchor });
  });

  it('finds a period with an inside where the calendar left a day out', () => {
    const timeZone = 'Pacific/Apia';
    const daily: Schedule = { anchor: local('2011-12-28T10:00', timeZone), timeZone, interval: 'day' };
    const skipped = calendarPeriodAt(daily, 2);
    expect(skipped.end).toBe(skipped.start);
    expect(calendarPeriodContaining(daily, skipped.start)).toMatchObject({ index: 3, start: skipped.start });
  });

  it('finds the period in the second pass of an hour that holds a boundary', () => {
    const timeZone = 'America/New_York';
    const daily: Schedule = { anchor: local('2026-10-30T01:30', timeZone), timeZone, interval: 'day' };
    const boundary = at('2026-11-01T05:30Z'); // first 01:30
    const secondPass = at('2026-11-01T06:10Z'); // second 01:10, which on the clock is before the boundary
    expect(calendarPeriodContaining(daily, secondPass)).toMatchObject({ index: 2, start: boundary });
  });

  it('reads the clock right before a change after it was asked for the change itself', () => {
    const timeZone = 'America/Chicago'; // used only here, so that nothing is cached for it yet
    const change = at('2026-03-08T08:00Z'); // 02:00 becomes 03:00
    const daily: Schedule = { anchor: change, timeZone, interval: 'day' };
    expect(calendarPeriodAt(daily, 1).start).toBe(at('2026-03-09T08:00Z'));
    expect(calendarPeriodAt(daily, -1).start).toBe(at('2026-03-07T09:00Z'));
  });

  it('refuses a zone that does not exist', () => {
    const nowhere: Schedule = { anchor: 0, timeZone: 'Mars/Olympus', interval: 'day' };
    expect(() => calendarPeriodAt(nowhere, 1)).toThrow(RangeError);
  });
});

describe('properties of periods', () => {
  it('equals the calendar of Temporal', () => {
    fc.assert(
      fc.property(schedule, fc.integer({ min: -500, max: 500 }), (of, index) => {
        fc.pre(of.interval !== 'year' || Math.abs(index) < 100);
        const expected = Temporal.Instant.fromEpochMilliseconds(of.anchor)
          .toZonedDateTimeISO(of.timeZone)
          .add({ [`${of.interval}s`]: index });
        expect(calendarPeriodAt(of, index).start).toBe(expected.epochMilliseconds);
      }),
      cases(3000),
    );
  });

  it('tiles time: each period ends where the next one starts, and none runs backwards', () => {
    fc.assert(
      fc.property(schedule, fc.integer({ min: -60, max: 60 }), (of, index) => {
        const period = calendarPeriodAt(of, index);
        expect(calendarPeriodAt(of, index + 1).start).toBe(period.end);
        expect(period.end).toBeGreaterThanOrEqual(period.start);
      }),
      cases(1000),
    );
  });

  it('puts each instant into exactly one period', () => {
    fc.assert(
      fc.property(schedule, instant, fc.integer({ min: -3, max: 3 }), (of, moment, near) => {
        const period = calendarPeriodContaining(of, moment);
        expect(period.start <= moment && moment < period.end).toBe(true);
        expect(calendarPeriodAt(of, period.index)).toEqual({ start: period.start, end: period.end });
        fc.pre(near !== 0);
        const other = calendarPeriodAt(of, period.index + near);
        expect(other.start <= moment && moment < other.end).toBe(false);
      }),
      cases(1500),
    );
  });

  it('puts a boundary into the later period and the millisecond before it into the earlier', () => {
    fc.assert(
      fc.property(schedule, fc.integer({ min: -60, max: 60 }), (of, index) => {
        const { start, end } = calendarPeriodAt(of, index);
        fc.pre(start < end);
        expect(calendarPeriodContaining(of, start).index).toBe(index);
        expect(calendarPeriodContaining(of, end - 1).index).toBe(index);
      }),
      cases(1000),
    );
  });

  it('answers the same when asked in another order', () => {
    const timeZone = 'Europe/Berlin';
    const moments = fc.sample(instant, { ...cases(200) });
    const of: Schedule = { anchor: local('2020-01-31T02:30', timeZone), timeZone, interval: 'month' };
    const forwards = moments.map((moment) => calendarPeriodContaining(of, moment));
    const backwards = moments.toReversed().map((moment) => calendarPeriodContaining(of, moment));
    expect(backwards.toReversed()).toEqual(forwards);
  });
});
