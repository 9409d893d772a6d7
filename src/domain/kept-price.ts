import type { PlanAndSeats } from './change-types';
import type { ProviderWork } from './provider-work';
import type { BilledFacts } from './reconciled-view';
import { isSamePlanAndSeats } from './same-plan-and-seats';
import type { SyncMarker } from './synchronizer-marker';
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

/**
 * Whether a change of seats that is charged now leaves the price that provider A shows: it is the subscription's own,
 * or no plan's here any more.
 *
 * @param isListed whether a plan here has the price now
 * @param unitAmount the subscription's price; undefined in records from before it was stored
 */
export function keepsShownPrice(
  shown: { amount: string | null; isListed: boolean },
  unitAmount: string | undefined,
): boolean {
  return !shown.isListed || shown.amount === unitAmount;
}

/**
 * Whether a renewal brings only other seats, and provider A bills the price that the subscription has here: it keeps
 * that price, which the plan may no longer have. A price that is not one amount per seat has no amount to compare.
 */
function keepsPriceAtRenewal(
  { planId, unitAmount }: Pick<PricedView, 'planId' | 'unitAmount'>,
  scheduled: Pick<PlanAndSeats, 'planId'>,
  shown: Pick<BilledFacts, 'unitAmount'>,
): boolean {
  if (scheduled.planId !== planId) return false;
  return shown.unitAmount === undefined || shown.unitAmount === unitAmount.toString();
}

/**
 * Returns the price to prepare provider A for a renewal with. If an earlier attempt has found that only the seats
 * change, or has sent another plan, it is the subscription's own price, which A may no longer show.
 *
 * @param named the plan's reference; '' if it has lost it: then nothing is sent, and the price that an earlier attempt
 *   may have set stays known
 */
export function referenceToSend(
  { planId, work: { sync } }: Pick<PricedView, 'planId' | 'work'>,
  next: Pick<PlanAndSeats, 'planId' | 'seats'>,
  named: string,
): string {
  if (sync === null) return named;
  const { planReference, ownReference } = sync;
  if (named === '') return isSamePlanAndSeats(sync, next) ? planReference : named;
  const isKept = next.planId === planId && (sync.planId !== planId || planReference === ownReference);
  return isKept ? (ownReference ?? named) : named;
}

type RenewalPrices = Pick<SyncMarker, 'ownReference' | 'planReference'>;

/**
 * Returns the price to send to provider A for a renewal, and the subscription's own one, which A shows until another is
 * sent. If only the seats change, the own one is kept. What A shows may also be what an earlier attempt has sent: then
 * both stay as they are known.
 *
 * @param sentBefore what an earlier attempt may have sent; null if none has sent anything
 */
export function pricesOfRenewal(
  view: Pick<PricedView, 'planId' | 'unitAmount'> & { scheduled: Pick<PlanAndSeats, 'planId'> },
  { ownReference, planReference }: RenewalPrices,
  sentBefore: string | null,
  shown: Pick<BilledFacts, 'planReference' | 'unitAmount'>,
): RenewalPrices {
  const { planReference: billed } = shown;
  const isOwn =
    sentBefore === null ||
    (ownReference === undefined && sentBefore === planReference && billed !== sentBefore);
  if (!isOwn || billed === null) return { ownReference, planReference };
  const isKept = keepsPriceAtRenewal(view, view.scheduled, shown);
  return { ownReference: billed, planReference: isKept ? billed : planReference };
}

/** A plan's reference at provider A to bill a subscription under. */
interface OwnReference {
  /** Null if the plan has none. */
  planReference: string | null;
  /**
   * The references that precede it if they cost the subscription's price at provider A. A reference and the plan's
   * price here are replaced one after the other, so the records here alone do not say which it is.
   */
  formerReferences: string[];
}

/**
 * Returns the reference of a subscription's own price at provider A: the one that A showed before a renewal was
 * prepared, or one that the plan had while it cost what this subscription pays, or else the plan's current one. A may
 * have shown a price that was set in its dashboard: another plan's is not the subscription's own, and a price of no
 * plan is only if it costs what the subscription pays.
 */
export function ownReferenceOf(
  { planId, unitAmount, planUnitAmount, work: { sync } }: PricedView,
  plans: PlansAtProvider,
): OwnReference {
  const shown = sync?.ownReference;
  if (shown !== undefined && isNameOf(plans, planId, shown))
    return { planReference: shown, formerReferences: [] };
  const unnamed = shown !== undefined && plans.planOf(shown) === null ? [shown] : [];
  const planReference = plans.referenceOf(planId);
  if (unitAmount === planUnitAmount) return { planReference, formerReferences: unnamed };
  const former = plans
    .formerPricesOf(planId)
    .filter(({ reference, amount }) => amount === unitAmount && isNameOf(plans, planId, reference))
    .map(({ reference }) => reference)
    .filter((reference) => reference !== planReference);
  return { planReference, formerReferences: [...unnamed, ...former] };
}
