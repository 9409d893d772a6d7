import type { ScheduledTerms } from './change-types';
import type { Instant } from './instant';
import { endsAt, endsWithPeriod, type PeriodEndView } from './pending-cancellation';
import {
  withDropped,
  type ChangeCall,
  type ProviderCall,
  type ProviderIntent,
  type ProviderWork,
  type PendingCall,
  type RenewalIntent,
} from './provider-work';
import { isSamePlanAndSeats } from './same-plan-and-seats';
import { quantityAtProvider } from './provider-quantity';
import { hasEnded, type Pricing, type SubscriptionStatus } from './subscription-types';
import type { Provider } from './provider';
import { keyOfPreparation, keysInDoubt, type SyncMarker } from './synchronizer-marker';

/** Inputs that the calls of a command depend on. */
export interface CallingView {
  id: string;
  provider: Provider;
  planId: string;
  seats: number;
  /** Price of the current period in minor units, per seat if `per_seat`. */
  unitAmount: bigint;
  pricing: Pricing;
  work: ProviderWork;
}

/**
 * Returns the calls that a command makes at the provider, in order. If provider A may already have the price of a
 * scheduled change, that price is reverted first, without proration (design, section 11). Preparations whose outcome is
 * unknown may reach the provider after that, and must then change nothing (`supersedes`, `alsoSupersedes`).
 *
 * @param ownPlanReference the provider's reference of the plan that is billed now; null if its price is not reverted to
 */
export function providerCallsOf(
  intent: ProviderIntent,
  view: CallingView,
  ownPlanReference: string | null,
): ProviderCall[] {
  switch (intent.kind) {
    case 'cancel':
      return [...revertingCalls(view, ownPlanReference), { action: 'cancel' }];
    case 'reactivate':
      return [{ action: 'reactivate' }];
    case 'withdraw':
      return revertingCalls(view, ownPlanReference);
    case 'change_now': {
      const { planReference, planId } = intent.to;
      const quantity = quantityAtProvider(intent.to);
      const reverting = revertingCalls(view, ownPlanReference);
      const isOwnPlan = planId === view.planId;
      const revertedTo = isOwnPlan ? reverting[0]?.planReference : undefined;
      const change = {
        action: 'change',
        // A repeated attempt has to recognize the terms that it set.
        planReference: revertedTo ?? planReference,
        quantity,
        proration: 'invoice_now',
        // A new price applies to new subscriptions; seats added now cost the current price of the subscription.
        ...(isOwnPlan && { keepsPrice: true, unitAmount: view.unitAmount.toString() }),
      } as const;
      // The provider prorates from the terms it has, which must be those of the customer.
      return [...reverting, change];
    }
    case 'request_change': {
      const { planReference } = intent.to;
      const quantity = quantityAtProvider(intent.to);
      return [{ action: 'change', planReference, quantity, proration: 'none' }];
    }
    case 'repair':
      return [];
  }
}

/**
 * Whether the subscription shows the effect of a pending command on its renewal. It did not when the command was
 * accepted, so the provider has reported it since.
 */
export function hasTakenEffect(
  intent: ProviderIntent,
  view: PeriodEndView & { status: SubscriptionStatus },
): intent is RenewalIntent {
  switch (intent.kind) {
    case 'cancel':
      return hasEnded(view.status) || endsWithPeriod(view);
    case 'reactivate':
      return !hasEnded(view.status) && endsAt(view) === null;
    default:
      return false;
  }
}

/** A provider, and what it may have been sent for the next renewal. */
interface PreparedView {
  provider: Provider;
  work: { sync: { told?: boolean } | null };
}

/** Whether provider A may have a change that has not taken effect yet. */
export function mayBePrepared({ provider, work: { sync } }: PreparedView): boolean {
  return provider === 'provider_a' && sync?.told === true;
}

/** Whether provider A may have begun a period with that change without it having been read yet. */
export function mayHaveRenewed(view: PreparedView & { currentPeriodEnd: Instant }, now: Instant): boolean {
  return mayBePrepared(view) && now >= view.currentPeriodEnd;
}

/** Whether a command that reverts a prepared price has no outcome yet. */
export function isRevertingPrice({ unsettled, sync }: Pick<ProviderWork, 'unsettled' | 'sync'>): boolean {
  return sync !== null && unsettled !== null && revertsPrice(unsettled.calls);
}

/**
 * Returns the work with its calls pending. If they revert a prepared price, the marker no longer counts as prepared:
 * after a refusal the price is sent again, and at the renewal the provider's subscription shows whether it has it.
 */
export function withPendingCall(work: ProviderWork, unsettled: PendingCall): ProviderWork {
  const { sync } = work;
  if (sync === null || !revertsPrice(unsettled.calls)) return { ...work, unsettled };
  return { ...work, unsettled, sync: { ...sync, state: 'claimed', at: unsettled.since } };
}

/**
 * Returns the work after these terms have been scheduled for the next renewal. Terms sent earlier count as possibly
 * sent, and their retry pause does not apply: the new terms are sent as soon as the renewal is near. A request to
 * provider B's customer is dropped, and a confirmed change is billed for these terms.
 */
export function withScheduled(
  before: ProviderWork,
  terms: Pick<ScheduledTerms, 'planId' | 'seats'>,
): ProviderWork {
  const { request, confirmed } = before;
  const { planId, seats } = terms;
  const asksNobody = { ...before, request: null, confirmed: confirmed && { ...confirmed, planId, seats } };
  const work = request === null ? asksNobody : withDropped(asksNobody, request);
  const { sync } = work;
  if (sync === null || isSamePlanAndSeats(sync, terms)) return work;
  return { ...work, sync: { ...sync, retryAt: null } };
}

/**
 * Returns the calls that remain to be made. A change that the provider shows was made after the calls before it:
 * reverting a price again would undo it, and repeating it would charge it again. If the provider has charged a renewal
 * at a prepared price, that price is not reverted: a cancellation is made without reverting it, and for any other call
 * it is too late (`null`).
 *
 * @param hasRenewed whether the provider is in a later period than the one stored here
 */
export function callsToMake(
  calls: readonly ProviderCall[],
  shown: TermsShown,
  hasRenewed = false,
): readonly ProviderCall[] | null {
  const last = calls.at(-1);
  if (last !== undefined && isShownAt(shown)(last)) return [last];
  if (!hasRenewed || !isChargedAsPrepared(calls, shown)) return calls;
  return last?.action === 'cancel' ? [last] : null;
}

/**
 * Whether a provider that has renewed shows none of the terms that the calls would set, and so has charged the prepared
 * ones.
 */
export function isChargedAsPrepared(calls: readonly ProviderCall[], shown: TermsShown): boolean {
  return revertsPrice(calls) && !calls.some(isShownAt(shown));
}

type TermsShown = { planReference: string | null; quantity: number | null };

function isShownAt({ planReference, quantity }: TermsShown): (call: ProviderCall) => boolean {
  return (call) =>
    call.action === 'change' && planReference === call.planReference && quantity === call.quantity;
}

function revertsPrice(calls: readonly ProviderCall[]): boolean {
  return calls[0]?.action === 'change' && calls[0].proration === 'none';
}

function revertingCalls(view: CallingView, planReference: string | null): ChangeCall[] {
  if (planReference === null || !mayBePrepared(view)) return [];
  const { sync } = view.work;
  return [
    {
      action: 'change',
      planReference,
      quantity: quantityAtProvider(view),
      proration: 'none',
      ...superseding(sync === null ? [] : keysInDoubt(view.id, sync)),
    },
  ];
}

/**
 * Returns the call that prepares provider A. Earlier steps may have sent other terms, or another price of the plan;
 * what the provider receives of them later must not undo this one.
 *
 * @param marker of the claimed step
 */
export function preparingCall(
  { id, scheduled }: { id: string; scheduled: ScheduledTerms },
  marker: SyncMarker,
  planReference: string,
): ProviderCall {
  const own = keyOfPreparation(id, marker);
  return {
    action: 'change',
    planReference,
    quantity: quantityAtProvider(scheduled),
    proration: 'none',
    ...superseding(keysInDoubt(id, marker).filter((key) => key !== own)),
    yields: true,
  };
}

/** @param keys oldest first */
function superseding(keys: string[]): Pick<ChangeCall, 'supersedes' | 'alsoSupersedes'> {
  const supersedes = keys.at(-1);
  const alsoSupersedes = keys.slice(0, -1);
  return {
    ...(supersedes !== undefined && { supersedes }),
    ...(alsoSupersedes.length > 0 && { alsoSupersedes }),
  };
}
