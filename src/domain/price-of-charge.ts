import type { BilledFacts, ReconciledView } from './reconciled-view';
import { stepAtProviderB } from './currency';
import { DAY_MS } from './instant';
import type { ScheduledTerms } from './change-types';
import { periodPrice } from './proration';
import { quantityAtProvider } from './provider-quantity';
import { isSamePlanAndSeats } from './same-plan-and-seats';

/**
 * Determines the price at which a renewal was charged. Provider B adds a tax that its plan's price does not include, at
 * a rate unknown here; it is derived from what the previous period was charged for known terms.
 *
 * @returns whether the renewal was charged at a price (minor units); null if the provider names no charge
 */
export function chargedAt(view: ReconciledView, facts: BilledFacts): ((price: bigint) => boolean) | null {
  const paid = paidAtRenewal(view, facts);
  if (paid === null) return null;
  const { before } = facts.lastPayment ?? {};
  const price = periodPrice(view);
  const charged = before === undefined ? price : BigInt(before);
  if (!isPriceWithTax(charged, price)) return (expected) => expected === paid;
  // Both charges are rounded to the amounts that B charges: half a step for each, in proportion to the other's price.
  const step = stepAtProviderB(view.currency);
  return (expected) => 2n * difference(paid * price, expected * charged) <= step * (expected + price);
}

/**
 * Returns the unit price of the plan in the period that a provider has renewed into. A subscription keeps its price at
 * the provider, whatever its plan costs now: as long as that price is charged, it applies.
 */
export function unitAmountOfRenewal(view: ReconciledView, facts: BilledFacts): bigint {
  const { unitAmount, planUnitAmount } = view;
  if (unitAmount === planUnitAmount) return planUnitAmount;
  if (facts.unitAmount !== undefined)
    return facts.unitAmount === unitAmount.toString() ? unitAmount : planUnitAmount;
  const isChargedAt = chargedAt(view, facts);
  if (isChargedAt === null) {
    // B charges nothing for the periods in which it was suspended, and A cannot say which of several items is the
    // plan's: a later renewal shows whether the price is kept.
    const isUnknown = view.provider === 'provider_b' || facts.planReference === null;
    return isUnknown ? unitAmount : planUnitAmount;
  }
  if (isChargedAt(periodPrice({ ...view, unitAmount: planUnitAmount }))) return planUnitAmount;
  // A charge at neither price shows nothing: B also charges what is outstanding from earlier periods with it.
  return view.provider === 'provider_b' || isChargedAt(periodPrice(view)) ? unitAmount : planUnitAmount;
}

/**
 * Returns the unit price of the plan that a renewal brings. The plan may have been given another price, under another
 * reference at the provider, since A was prepared for the renewal or B's customer has approved: both bill what they
 * were given then.
 */
export function unitAmountOfChange(
  view: ReconciledView,
  scheduled: ScheduledTerms,
  facts: BilledFacts,
): bigint {
  const { sync } = view.work;
  const billed =
    sync !== null && facts.planReference === sync.planReference ? wholeUnits(facts.unitAmount) : null;
  if (billed !== null) return billed;
  const agreed = agreedAmount(view, scheduled);
  if (agreed === null) return scheduled.unitAmount;
  // Unknown if nothing was charged, as when B resumes a suspended subscription in a later period.
  const isAgreed =
    facts.unitAmount === undefined
      ? chargedAt(view, facts)?.(periodPrice({ ...scheduled, unitAmount: agreed }))
      : facts.unitAmount === agreed.toString();
  return isAgreed === false ? scheduled.unitAmount : agreed;
}

/**
 * Returns the price that provider A is prepared for, or at which provider B's customer approved the scheduled change,
 * or the current price if B was not asked because it bills the same, or if A's customer keeps it with other seats. Null
 * if unknown.
 */
export function agreedAmount(view: ReconciledView, scheduled: ScheduledTerms): bigint | null {
  const { confirmed, sync } = view.work;
  if (view.provider === 'provider_a') {
    const isPrepared = sync?.state === 'prepared' && isSamePlanAndSeats(sync, scheduled);
    const kept = scheduled.planId === view.planId ? view.unitAmount : null;
    return (isPrepared ? wholeUnits(sync.unitAmount) : null) ?? kept;
  }
  if (view.provider !== 'provider_b') return null;
  if (confirmed === null) {
    return quantityAtProvider(scheduled) === quantityAtProvider(view) ? view.unitAmount : null;
  }
  if (confirmed.unitAmount === undefined || !isSamePlanAndSeats(confirmed, scheduled)) return null;
  return BigInt(confirmed.unitAmount);
}

/** Returns what was paid for the period after this one, in minor units; null if the provider does not report it. */
function paidAtRenewal({ currentPeriodEnd }: ReconciledView, { lastPayment }: BilledFacts): bigint | null {
  if (!lastPayment || lastPayment.at < currentPeriodEnd - DAY_MS) return null;
  return BigInt(lastPayment.amount);
}

/** Null if it is not stated, or a fraction of a minor unit, which no plan here can cost. */
function wholeUnits(amount: string | undefined): bigint | null {
  return amount !== undefined && /^\d+$/.test(amount) ? BigInt(amount) : null;
}

/** Whether the charge is a plausible price with tax; with a larger difference, it was made for other terms. */
function isPriceWithTax(charged: bigint, price: bigint): boolean {
  return charged > price && charged < 2n * price;
}

function difference(one: bigint, other: bigint): bigint {
  return one > other ? one - other : other - one;
}
