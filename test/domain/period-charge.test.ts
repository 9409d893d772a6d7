import fc from 'fast-check';
import { HOUR_MS } from '../../src/domain/instant';
import { draftPeriodCharge } from '../../src/domain/period-charge';
import { periodPrice, wholePeriod, type PeriodTerms } from '../../src/domain/proration';
import { at, offered, subscribed, UNTAXED, ZONES } from './billing-cases';
import { cases } from './property';

const terms: PeriodTerms = {
  planId: 'plan_pro',
  planSlug: 'pro',
  seats: 5,
  unitAmount: 3000n,
  pricing: 'per_seat',
};
const period = { start: at('2027-01-01'), end: at('2027-02-01') };
const input = {
  kind: 'renewal',
  terms,
  currency: 'USD',
  tax: { behavior: 'exclusive', rates: [{ name: 'VAT', rate: '0.19' }] },
  period,
  whole: period,
  startedAt: period.start,
  dueAt: at('2027-01-08'),
  timeZone: 'UTC',
} as const;

describe('the charge of a period', () => {
  it('is its price in one line, with its tax', () => {
    expect(draftPeriodCharge({ ...input, tax: { ...input.tax, rates: [...input.tax.rates] } })).toEqual({
      kind: 'renewal',
      currency: 'USD',
      lines: [
        {
          description: 'pro × 5, 1 Jan 2027 – 1 Feb 2027',
          quantity: 5,
          unitAmount: 3000n,
          amount: 15_000n,
        },
      ],
      subtotal: 15_000n,
      tax: input.tax,
      taxAmount: 2850n,
      total: 17_850n,
      periodStart: period.start,
      periodEnd: period.end,
      dueAt: input.dueAt,
      proration: null,
    });
  });

  it('is a part of it where the subscription began in the middle', () => {
    const { lines, total, periodStart } = draftPeriodCharge({
      ...input,
      kind: 'initial',
      tax: UNTAXED,
      startedAt: at('2027-01-16T12:00:00Z'),
    });
    expect(lines).toEqual([
      { description: 'pro × 5, 16 Jan 2027 – 1 Feb 2027', quantity: 5, unitAmount: null, amount: 7500n },
    ]);
    expect(total).toBe(7500n);
    expect(periodStart).toBe(period.start);
  });

  it('is its price also where the rules of the zone have moved its start by an hour', () => {
    const moved = { ...period, start: period.start + HOUR_MS };
    const [line] = draftPeriodCharge({
      ...input,
      tax: UNTAXED,
      period: moved,
      startedAt: at('2026-11-01'),
    }).lines;
    expect(line).toMatchObject({ unitAmount: 3000n, amount: 15_000n });
  });

  it('names the days of the subscription’s zone, and a flat plan as one', () => {
    const [line] = draftPeriodCharge({
      ...input,
      tax: UNTAXED,
      terms: { ...terms, pricing: 'flat', seats: 1 },
      timeZone: 'America/New_York',
    }).lines;
    expect(line).toEqual({
      description: 'pro, 31 Dec 2026 – 31 Jan 2027',
      quantity: 1,
      unitAmount: 3000n,
      amount: 3000n,
    });
  });

  it('is never more than the price, and the whole of it for a whole period', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: at('2023-01-01'), max: at('2029-01-01') }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(...ZONES),
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        (now, ahead, timeZone, amount) => {
          const plan = offered('any', { price: { amount, currency: 'KWD' } });
          const longest = subscribed(plan, { now, timeZone }).currentPeriodEnd - now;
          const anchor = now + Math.floor(longest * ahead);
          const view = subscribed(plan, { now, timeZone, anchor, seats: 3 });
          const { total } = draftPeriodCharge({
            kind: 'initial',
            terms: view,
            currency: view.currency,
            tax: view.tax,
            period: { start: view.currentPeriodStart, end: view.currentPeriodEnd },
            whole: wholePeriod(view),
            startedAt: now,
            dueAt: now,
            timeZone,
          });
          expect(total >= 0n && total <= periodPrice(view)).toBe(true);
          if (anchor === now) expect(total).toBe(periodPrice(view));
        },
      ),
      cases(300),
    );
  });
});
