import type { BilledFacts, ReconciledView } from './reconciled-view';
import { DAY_MS } from './instant';
import type { ScheduledTerms } from './change-types';
import { periodPrice } from './proration';
import { quantityAtProvider } from './provider-quantity';
import { isSamePlanAndSeats } from './same-plan-and-seats';

/**
 * Tells the price that the charge of a renewal was made at. Provider B adds a tax that is not in its plan's price, at a
 * rate that is not known here: what the period before was charged, for terms that are known, shows it.
 *
 * @returns whether the renewal was charged at a price (minor units); null where the provider names no charge
 */
export function chargedAt(view: ReconciledView, facts: BilledFacts): ((price: bigint) => boolean) | null {
  const paid = paidAtRenewal(view, facts);
  if (paid === null) return null;
  const { before } = facts.lastPayment ?? {};
  const price = periodPrice(view);
  const charged = before === undefined ? price : BigInt(before);
  if (!isPriceWithTax(charged, price)) return (asked) => asked === paid;
  // Both charges are rounded to whole minor units: half of one for each, in proportion to the other's price.
  return (asked) => 2n * difference(paid * price, asked * charged) <= asked + price;
}

/**
 * What one of the plan costs in the period that a provider has renewed into. A subscription keeps the price that it has
 * there, whatever its plan costs by now: as long as that is charged, it is the price.
 */
export function unitAmountOfRenewal(view: ReconciledView, facts: BilledFacts): bigint {
  const { unitAmount, planUnitAmount } = view;
  if (unitAmount === planUnitAmount) return planUnitAmount;
  if (facts.unitAmount !== undefined)
    return facts.unitAmount === unitAmount.toString() ? unitAmount : planUnitAmount;
  const isChargedAt = chargedAt(view, facts);
  const isKept = isChargedAt?.(periodPrice(view)) === true;
  return isKept && !isChargedAt(periodPrice({ ...view, unitAmount: planUnitAmount }))
    ? unitAmount
    : planUnitAmount;
}

/**
 * What one of the plan costs that a renewal brings. Provider B goes on billing what its customer has approved, also where
 * the plan has been given another price, under another name there, since.
 */
export function unitAmountOfChange(
  view: ReconciledView,
  scheduled: ScheduledTerms,
  facts: BilledFacts,
): bigint {
  const agreed = agreedAmount(view, scheduled);
  if (agreed === null) return scheduled.unitAmount;
  const isAgreed = chargedAt(view, facts)?.(periodPrice({ ...scheduled, unitAmount: agreed }));
  return isAgreed === true ? agreed : scheduled.unitAmount;
}

/**
 * The price at which provider B's customer has approved the scheduled change, or where B was not asked, because it bills the
 * same, the price of now. Null where that is not known.
 */
export function agreedAmount(view: ReconciledView, scheduled: ScheduledTerms): bigint | null {
  if (view.provider !== 'provider_b') return null;
  const { confirmed } = view.work;
  if (confirmed === null) {
    return quantityAtProvider(scheduled) === quantityAtProvider(view) ? view.unitAmount : null;
  }
  if (confirmed.unitAmount === undefined || !isSamePlanAndSeats(confirmed, scheduled)) return null;
  return BigInt(confirmed.unitAmount);
}

/** Whether a renewal may bring other terms, so that its price has to tell: provider B's customer may approve them late. */
export function mayBringChange({ provider, scheduled, work: { request, dropped } }: ReconciledView): boolean {
  return provider === 'provider_b' && (scheduled !== null || request !== null || dropped.length > 0);
}

/** What was paid for the period after this one, minor units; null where the provider does not say. */
function paidAtRenewal({ currentPeriodEnd }: ReconciledView, { lastPayment }: BilledFacts): bigint | null {
  if (!lastPayment || lastPayment.at < currentPeriodEnd - DAY_MS) return null;
  return BigInt(lastPayment.amount);
}

/** What differs more was charged for other terms. */
function isPriceWithTax(charged: bigint, price: bigint): boolean {
  return charged > price && charged < 2n * price;
}

function difference(one: bigint, other: bigint): bigint {
  return one > other ? one - other : other - one;
}
