import fc from 'fast-check';
import {
  periodPrice,
  PRORATION_POLICY_VERSION,
  prorate,
  shareOf,
  wholePeriod,
  type PeriodTerms,
} from '../../src/domain/proration';
import { takeStep } from '../../src/domain/lifecycle';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { at, offered, subscribed, ZONES } from './billing-cases';
import { cases } from './property';

const starter: PeriodTerms = {
  planId: 'plan_starter',
  planSlug: 'starter',
  seats: 1,
  unitAmount: 1000n,
  pricing: 'flat',
};
const pro: PeriodTerms = { ...starter, planId: 'plan_pro', planSlug: 'pro', unitAmount: 3000n };

const terms: fc.Arbitrary<PeriodTerms> = fc.record({
  planId: fc.constant('plan'),
  planSlug: fc.constant('plan'),
  seats: fc.integer({ min: 1, max: 10_000 }),
  unitAmount: fc.bigInt({ min: 0n, max: 10n ** 9n }),
  pricing: fc.constantFrom<'flat' | 'per_seat'>('flat', 'per_seat'),
});

/** Whole periods as subscriptions have them: across month ends, leap days and clock changes. */
const periods = fc
  .record({
    now: fc.integer({ min: at('2023-01-01'), max: at('2029-01-01') }),
    timeZone: fc.constantFrom(...ZONES),
    interval: fc.constantFrom<'month' | 'year'>('month', 'year'),
    turns: fc.integer({ min: 0, max: 12 }),
  })
  .map(({ now, timeZone, interval, turns }) => {
    let view = subscribed(offered('any', { interval }), { now, timeZone });
    for (let turn = 0; turn < turns; turn++) view = takeStep(view, 'turn_period');
    return { start: view.currentPeriodStart, end: view.currentPeriodEnd };
  });
const moments = fc.tuple(periods, fc.double({ min: 0, max: 1, noNaN: true })).map(([period, part]) => ({
  period,
  moment: period.start + Math.floor((period.end - period.start) * part),
}));

describe('proration', () => {
  const period = { start: at('2026-06-01'), end: at('2026-07-01') };

  it('says how it came about', () => {
    expect(prorate(starter, pro, period, at('2026-06-16'))).toEqual({
      policyVersion: PRORATION_POLICY_VERSION,
      at: at('2026-06-16'),
      periodStart: period.start,
      periodEnd: period.end,
      remainingMs: 15 * DAY_MS,
      periodMs: 30 * DAY_MS,
      current: { ...starter, fullAmount: 1000n, amount: 500n },
      target: { ...pro, fullAmount: 3000n, amount: 1500n },
      net: 1000n,
    });
  });

  it('keeps of each side the terms and nothing else, since it is stored', () => {
    const more = { ...starter, externalId: 'acct_42' };
    expect(prorate(more, pro, period, period.start).current).not.toHaveProperty('externalId');
  });

  it.each([
    ['February of a leap year', '2028-02-01', '2028-03-01', '2028-02-29', 1451n, 50n],
    ['February of another year', '2027-02-01', '2027-03-01', '2027-02-28', 1451n, 52n],
    // 743 of the 744 hours remain: the night of 28 March 2027 is an hour shorter in Berlin.
    ['a month with an hour less', '2027-02-28T23:00Z', '2027-03-31T22:00Z', '2027-03-31T21:00Z', 743n, 1n],
    ['a year', '2027-01-01', '2028-01-01', '2027-12-31', 36_500n, 100n],
    ['a leap year', '2028-01-01', '2029-01-01', '2028-12-31', 36_600n, 100n],
  ])('%s', (_, start, end, moment, unitAmount, amount) => {
    const whole = { start: at(start), end: at(end) };
    const { target } = prorate({ ...starter, unitAmount: 0n }, { ...pro, unitAmount }, whole, at(moment));
    expect(target.amount).toBe(amount);
  });

  it('is worth the whole at the start, and nothing at the end or after it', () => {
    expect(prorate(starter, pro, period, period.start).net).toBe(2000n);
    expect(prorate(starter, pro, period, period.end).net).toBe(0n);
    expect(prorate(starter, pro, period, period.end + DAY_MS).net).toBe(0n);
    expect(prorate(starter, pro, period, period.start - DAY_MS).net).toBe(2000n);
  });

  it('is what remains less what is unused, each to within half a minor unit', () => {
    fc.assert(
      fc.property(terms, terms, moments, (current, target, { period: whole, moment }) => {
        const result = prorate(current, target, whole, moment);
        expect(result.net).toBe(result.target.amount - result.current.amount);
        for (const [side, of] of [
          [result.current, current],
          [result.target, target],
        ] as const) {
          expect(side.fullAmount).toBe(periodPrice(of));
          const exact = side.fullAmount * BigInt(whole.end - moment);
          const off = side.amount * BigInt(whole.end - whole.start) - exact;
          expect((off < 0n ? -off : off) * 2n <= BigInt(whole.end - whole.start)).toBe(true);
        }
      }),
      cases(500),
    );
  });

  it('up, and down again at the same instant, returns to the start', () => {
    fc.assert(
      fc.property(terms, terms, moments, (current, target, { period: whole, moment }) => {
        const up = prorate(current, target, whole, moment);
        const down = prorate(target, current, whole, moment);
        const sum = up.net + down.net;
        expect(sum >= -1n && sum <= 1n).toBe(true);
      }),
      cases(500),
    );
  });

  it('never credits more than the higher price is charged for', () => {
    fc.assert(
      fc.property(terms, terms, moments, (one, other, { period: whole, moment }) => {
        const [lower, higher] = periodPrice(one) <= periodPrice(other) ? [one, other] : [other, one];
        expect(prorate(lower, higher, whole, moment).net >= 0n).toBe(true);
      }),
      cases(500),
    );
  });

  it.each(['JPY', 'USD', 'KWD'])('counts minor units, so %s is as exact as the others', () => {
    // Two thirds of 1,000 minor units are 666.67, whatever a minor unit is.
    expect(shareOf(1000n, 20 * DAY_MS, 30 * DAY_MS)).toBe(667n);
  });
});

describe('the price of a period', () => {
  it('is that of all seats, or flat', () => {
    expect(periodPrice({ unitAmount: 1451n, pricing: 'per_seat', seats: 3 })).toBe(4353n);
    expect(periodPrice({ unitAmount: 1451n, pricing: 'flat', seats: 3 })).toBe(1451n);
  });
});

describe('the whole period', () => {
  it('is longer than a first one up to an anchor to come', () => {
    const [now, anchor] = [at('2026-06-21T12:00:00Z'), at('2026-07-01')];
    expect(wholePeriod(subscribed(offered('pro'), { now, anchor }))).toEqual({
      start: at('2026-06-01'),
      end: anchor,
    });
  });

  it('is found where the clocks skip the hour that the first one begins with', () => {
    // 02:30 on 14 February, and 03:30 a month later, because 02:30 is skipped on 14 March 2027.
    const [now, anchor] = [at('2027-02-14T07:30:00Z'), at('2027-03-14T07:30:00Z')];
    const view = subscribed(offered('pro'), { now, anchor, timeZone: 'America/New_York' });
    expect(wholePeriod(view)).toEqual({ start: at('2027-02-14T08:30:00Z'), end: anchor });
  });

  it.each([-HOUR_MS, HOUR_MS])(
    'is the current one also where its zone’s rules have moved its end by %i ms',
    (moved) => {
      const view = subscribed(offered('pro'), { now: at('2027-04-10T12:00:00Z'), timeZone: 'Africa/Cairo' });
      const { currentPeriodStart: start, currentPeriodEnd: end } = view;
      expect(wholePeriod({ ...view, currentPeriodEnd: end - moved })).toEqual({ start, end });
    },
  );

  it('ends with the current one, and is never much shorter than it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: at('2023-01-01'), max: at('2029-01-01') }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(...ZONES),
        fc.constantFrom<'month' | 'year'>('month', 'year'),
        fc.integer({ min: 0, max: 3 }),
        (now, ahead, timeZone, interval, turns) => {
          const plan = offered('any', { interval });
          const longest = subscribed(plan, { now, timeZone }).currentPeriodEnd - now;
          const anchor = now + Math.floor(longest * ahead);
          let view = subscribed(plan, { now, timeZone, anchor });
          for (let turn = 0; turn < turns; turn++) view = takeStep(view, 'turn_period');
          const whole = wholePeriod(view);
          expect(whole.end).toBe(view.currentPeriodEnd);
          // If the clocks skip an hour, a first month may begin an hour before the whole period does.
          expect(whole.start).toBeLessThanOrEqual(view.currentPeriodStart + DAY_MS);
          if (turns > 0) expect(whole.start).toBe(view.currentPeriodStart);
        },
      ),
      cases(500),
    );
  });
});
