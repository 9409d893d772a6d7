import fc from 'fast-check';
import { usagePeriod, type ResetInterval, type UsageAnchor } from '../../src/domain/period';
import { DAY_MS } from '../../src/domain/instant';
import { cases } from './property';

const at = (text: string): number => Date.parse(text);

const trial: UsageAnchor = {
  startedAt: at('2026-01-17T12:00:00Z'),
  billingAnchor: at('2026-01-31T12:00:00Z'),
  timeZone: 'UTC',
  interval: 'month',
};

describe('usage periods of a subscription', () => {
  it('is the trial before the anchor, and the billing period from it', () => {
    expect(usagePeriod(trial, 'billing_period', at('2026-01-31T11:59:59.999Z'))).toEqual({
      start: trial.startedAt,
      end: trial.billingAnchor,
    });
    expect(usagePeriod(trial, 'billing_period', trial.billingAnchor)).toEqual({
      start: trial.billingAnchor,
      end: at('2026-02-28T12:00:00Z'),
    });
    expect(usagePeriod(trial, 'billing_period', at('2026-03-01T00:00:00Z'))).toEqual({
      start: at('2026-02-28T12:00:00Z'),
      end: at('2026-03-31T12:00:00Z'),
    });
  });

  it('follows the subscription’s own interval', () => {
    const yearly: UsageAnchor = { ...trial, interval: 'year' };
    expect(usagePeriod(yearly, 'billing_period', at('2027-01-30T00:00:00Z'))).toEqual({
      start: trial.billingAnchor,
      end: at('2027-01-31T12:00:00Z'),
    });
  });

  it('counts shorter intervals from the same anchor, before it too', () => {
    expect(usagePeriod(trial, 'week', at('2026-01-18T00:00:00Z'))).toEqual({
      start: at('2026-01-17T12:00:00Z'),
      end: at('2026-01-24T12:00:00Z'),
    });
    expect(usagePeriod(trial, 'day', at('2026-02-05T11:00:00Z'))).toEqual({
      start: at('2026-02-04T12:00:00Z'),
      end: at('2026-02-05T12:00:00Z'),
    });
  });

  it('has no end if the entitlement never resets', () => {
    expect(usagePeriod(trial, 'never', at('2031-01-01T00:00:00Z'))).toEqual({
      start: trial.startedAt,
      end: null,
    });
  });

  it('is the first one for a clock that has not come to its beginning', () => {
    const bought = { ...trial, startedAt: trial.billingAnchor };
    for (const began of [trial, bought]) {
      for (const reset of ['billing_period', 'day', 'week', 'month', 'year', 'never'] as const) {
        const first = usagePeriod(began, reset, began.startedAt);
        expect(usagePeriod(began, reset, began.startedAt - 1)).toEqual(first);
        expect(usagePeriod(began, reset, began.startedAt - 2 * DAY_MS)).toEqual(first);
      }
    }
  });

  it('contains the instant and is followed by the period that starts at its end', () => {
    const resets: ResetInterval[] = ['billing_period', 'day', 'week', 'month', 'year'];
    fc.assert(
      fc.property(
        fc.integer({ min: at('2020-01-01'), max: at('2035-01-01') }),
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 0, max: 900 }),
        fc.constantFrom('UTC', 'America/New_York', 'Australia/Lord_Howe'),
        fc.constantFrom<'month' | 'year'>('month', 'year'),
        fc.constantFrom(...resets),
        (startedAt, trialDays, days, timeZone, interval, reset) => {
          const of = { startedAt, billingAnchor: startedAt + trialDays * DAY_MS, timeZone, interval };
          const moment = startedAt + days * DAY_MS;
          const { start, end } = usagePeriod(of, reset, moment);
          expect(start <= moment && end !== null && moment < end).toBe(true);
          if (end === null) return;
          expect(usagePeriod(of, reset, end).start).toBe(end);
          expect(usagePeriod(of, reset, end - 1)).toEqual({ start, end });
        },
      ),
      cases(1000),
    );
  });

  it('is that of the months before a change to years, however late it is asked for', () => {
    const changed: UsageAnchor = {
      ...trial,
      billingAnchor: at('2026-03-31T12:00:00Z'),
      interval: 'year',
      formerRhythms: [{ ...trial, until: at('2026-03-31T12:00:00Z') }],
    };
    expect(usagePeriod(changed, 'billing_period', at('2026-03-01T00:00:00Z'))).toEqual({
      start: at('2026-02-28T12:00:00Z'),
      end: at('2026-03-31T12:00:00Z'),
    });
    expect(usagePeriod(changed, 'billing_period', at('2026-01-20T00:00:00Z'))).toEqual({
      start: trial.startedAt,
      end: trial.billingAnchor,
    });
    expect(usagePeriod(changed, 'billing_period', at('2026-03-31T12:00:00Z'))).toEqual({
      start: at('2026-03-31T12:00:00Z'),
      end: at('2027-03-31T12:00:00Z'),
    });
  });

  it('is cut where the periods of before meet those of now', () => {
    const moved: UsageAnchor = {
      ...trial,
      billingAnchor: at('2026-02-10T12:00:00Z'),
      formerRhythms: [{ ...trial, until: at('2026-02-10T12:00:00Z') }],
    };
    const days = (month: string): unknown => usagePeriod(moved, 'month', at(month));
    expect(days('2026-02-05T00:00:00Z')).toEqual({
      start: at('2026-01-31T12:00:00Z'),
      end: at('2026-02-10T12:00:00Z'),
    });
    expect(days('2026-02-12T00:00:00Z')).toEqual({
      start: at('2026-02-10T12:00:00Z'),
      end: at('2026-03-10T12:00:00Z'),
    });
  });

  it('is not cut if the periods continue as before', () => {
    const changed: UsageAnchor = {
      ...trial,
      formerRhythms: [{ ...trial, interval: 'year', until: at('2027-01-31T12:00:00Z') }],
    };
    const week = { start: at('2027-01-30T12:00:00Z'), end: at('2027-02-06T12:00:00Z') };
    for (const day of ['2027-01-31T00:00:00Z', '2027-02-02T00:00:00Z'])
      expect(usagePeriod(changed, 'week', at(day))).toEqual(week);
    expect(usagePeriod(changed, 'billing_period', at('2027-01-31T00:00:00Z'))).toEqual({
      start: trial.billingAnchor,
      end: at('2027-01-31T12:00:00Z'),
    });
  });

  it('leaves no gap and no overlap over any changes of the rhythm', () => {
    const resets: ResetInterval[] = ['billing_period', 'day', 'week', 'month', 'year'];
    const rhythm = fc.record({
      billingAnchor: fc.integer({ min: -40, max: 400 }),
      timeZone: fc.constantFrom('UTC', 'America/New_York'),
      interval: fc.constantFrom<'month' | 'year'>('month', 'year'),
    });
    fc.assert(
      fc.property(
        rhythm,
        fc.array(fc.tuple(rhythm, fc.integer({ min: 1, max: 90 })), { maxLength: 4 }),
        fc.integer({ min: 0, max: 500 }),
        fc.constantFrom(...resets),
        (present, former, days, reset) => {
          const startedAt = at('2026-01-31T12:00:00Z');
          const dated = ({ billingAnchor, ...rest }: typeof present) => ({
            ...rest,
            billingAnchor: startedAt + billingAnchor * DAY_MS,
          });
          let until = startedAt;
          const formerRhythms = former.map(([one, held]) => ({
            ...dated(one),
            until: (until += held * DAY_MS),
          }));
          const of: UsageAnchor = { ...dated(present), startedAt, formerRhythms };
          const moment = startedAt + days * DAY_MS;
          const { start, end } = usagePeriod(of, reset, moment);
          expect(start <= moment && end !== null && moment < end).toBe(true);
          if (end === null) return;
          expect(usagePeriod(of, reset, end).start).toBe(end);
          expect(usagePeriod(of, reset, end - 1)).toEqual({ start, end });
          if (start >= startedAt) expect(usagePeriod(of, reset, start)).toEqual({ start, end });
        },
      ),
      cases(1000),
    );
  });
});
