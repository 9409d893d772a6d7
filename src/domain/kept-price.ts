import type { ProviderWork } from './provider-work';
import { isNameOf, type PlansAtProvider } from './terms-at-provider';

/** The prices of a subscription that a provider bills, in minor units, per seat if `per_seat`. */
interface PricedView {
  planId: string;
  /** Price of the current period. */
  unitAmount: bigint;
  /** The plan's price now. */
  planUnitAmount: bigint;
  work: Pick<ProviderWork, 'sync'>;
}

/** A plan's reference at provider A to bill a subscription under. */
interface OwnReference {
  /** Null if the plan has none. */
  planReference: string | null;
  /**
   * The plan's former references that precede it if they cost the subscription's price at provider A. A reference and
   * the plan's price here are replaced one after the other, so the records here alone do not say which it is.
   */
  formerReferences: string[];
}

/**
 * Returns the reference of a subscription's own price at provider A: the one that A showed before a renewal was
 * prepared, or one that the plan had while it cost what this subscription pays, or else the plan's current one.
 */
export function ownReferenceOf(
  { planId, unitAmount, planUnitAmount, work: { sync } }: PricedView,
  plans: PlansAtProvider,
): OwnReference {
  if (sync?.ownReference !== undefined) return { planReference: sync.ownReference, formerReferences: [] };
  const planReference = plans.referenceOf(planId);
  if (unitAmount === planUnitAmount) return { planReference, formerReferences: [] };
  const former = plans
    .formerPricesOf(planId)
    .filter(({ reference, amount }) => amount === unitAmount && isNameOf(plans, planId, reference))
    .map(({ reference }) => reference);
  return { planReference, formerReferences: former.filter((reference) => reference !== planReference) };
}
