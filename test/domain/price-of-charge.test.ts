import { DAY_MS } from '../../src/domain/instant';
import {
  agreedAmount,
  chargedAt,
  unitAmountOfChange,
  unitAmountOfRenewal,
} from '../../src/domain/price-of-charge';
import { NO_WORK, type ProviderWork } from '../../src/domain/provider-work';
import type { ReconciledView } from '../../src/domain/reconciled-view';
import { billedFacts, END, ON_PRO, PROVIDER_ROW, START, STARTER, syncMarker } from './provider-row';

/** Two seats at 30.00, of a plan that costs 35.00 by now. */
const view = (changes: Partial<ReconciledView> = {}, work: Partial<ProviderWork> = {}): ReconciledView => ({
  ...PROVIDER_ROW,
  ...ON_PRO,
  unitAmount: 3000n,
  planUnitAmount: 3500n,
  work: { ...NO_WORK, ...work },
  ...changes,
});
const paid = (amount: string, before?: string) =>
  billedFacts({ lastPayment: { amount, at: END, ...(before !== undefined && { before }) } });
const atB = { provider: 'provider_b' } as const;
const atC = { provider: 'provider_c' } as const;

describe('a renewal', () => {
  it.each([
    ['that the provider shows to be kept', view(), billedFacts({ unitAmount: '3000' }), 3000n],
    ['that the provider shows to be another', view(), billedFacts({ unitAmount: '3500' }), 3500n],
    ['that was charged once more', view(atC), paid('6000'), 3000n],
    ['that the plan has by now', view(atC), paid('7000'), 3500n],
    ['unknown to C, by a charge of neither', view(atC), paid('9999'), 3500n],
    ['that B keeps, by a charge of neither', view(atB), paid('9999'), 3000n],
    ['that B keeps, without a charge', view(atB), billedFacts(), 3000n],
    ['that A keeps, as far as its several items say', view(), billedFacts({ planReference: null }), 3000n],
    ['that the plan has by now, without a charge', view(atC), billedFacts(), 3500n],
  ])('has the price %s', (_, before, facts, expected) => {
    expect(unitAmountOfRenewal(before, facts)).toBe(expected);
  });

  it('is recognized by its charge with the tax that B adds, and not by a charge before the boundary', () => {
    const taxed = chargedAt(view(atB), paid('7700', '6600'));
    expect([taxed?.(7000n), taxed?.(6000n)]).toEqual([true, false]);
    // Twice the price is not a price with its tax: it was charged for other terms.
    expect(chargedAt(view(atB), paid('7000', '12000'))?.(7000n)).toBe(true);
    // Nor is less than the price.
    expect(chargedAt(view(atB), paid('7000', '5000'))?.(7000n)).toBe(true);
    const early = billedFacts({ lastPayment: { amount: '7000', at: END - DAY_MS - 1 } });
    expect(chargedAt(view(atB), early)).toBeNull();
  });
});

describe('a scheduled change', () => {
  const scheduled = { ...STARTER, unitAmount: 1200n, requestedAt: START };
  const seats = { ...scheduled, planId: 'plan_pro', planSlug: 'pro', unitAmount: 3500n };
  const prepared = syncMarker({ unitAmount: '1000' });
  const confirmed = { planId: 'plan_starter', seats: 1, planReference: 'P-STARTER', unitAmount: '1000' };

  it.each([
    ['that A is prepared with', view({}, { sync: prepared }), scheduled, 1000n],
    ['unknown before A is prepared', view({}, { sync: { ...prepared, state: 'failed' } }), scheduled, null],
    ['unknown if A is prepared for others', view({}, { sync: { ...prepared, seats: 3 } }), scheduled, null],
    ['that is kept with other seats at A', view(), seats, 3000n],
    ['at which B’s customer approved it', view(atB, { confirmed }), scheduled, 1000n],
    ['unknown if B’s customer approved another', view(atB, { confirmed }), seats, null],
    ['of now if B bills the same', view(atB), { ...seats, seats: 2 }, 3000n],
    ['unknown if B was asked for more', view(atB), { ...seats, seats: 3 }, null],
    ['unknown at C', view(atC), scheduled, null],
  ])('has the price %s', (_, before, terms, expected) => {
    expect(agreedAmount(before, terms)).toBe(expected);
  });

  it.each([
    ['what was agreed', paid('1000'), 1000n],
    ['what the plan costs by now, if that was charged', paid('1200'), 1200n],
    ['what was agreed, if nothing was charged', billedFacts(), 1000n],
  ])('brings %s at B', (_, facts, expected) => {
    expect(unitAmountOfChange(view(atB, { confirmed }), scheduled, facts)).toBe(expected);
  });

  it('brings the price that A shows for what it was prepared with, or keeps the one of before', () => {
    const shown = billedFacts({ planReference: 'price_starter', unitAmount: '900' });
    expect(unitAmountOfChange(view({}, { sync: prepared }), scheduled, shown)).toBe(900n);
    expect(unitAmountOfChange(view(), seats, billedFacts({ unitAmount: '3000' }))).toBe(3000n);
    expect(unitAmountOfChange(view(), seats, billedFacts({ unitAmount: '3400' }))).toBe(3500n);
  });
});
