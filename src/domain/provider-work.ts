import type { ChangeDirection } from './change-direction';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Instant } from './instant';
import type { SyncMarker, SyncState } from './synchronizer-marker';
import type { BillingInterval, Pricing } from './subscription-types';

/**
 * What is in progress between a subscription and its payment provider: the part of the row that its timing depends on.
 */
export interface ProviderWaits {
  /** A call whose outcome is unknown; it is retried until the outcome is known. */
  unsettled: { retryAt: Instant } | null;
  /** A change that its customer has yet to approve at the provider. */
  request: { lookAt: Instant; expiresAt: Instant } | null;
  /** Provider A's synchronizer, for a change that waits for the renewal. */
  sync: { state: SyncState; retryAt: Instant | null } | null;
  /**
   * When the provider is read again: after a boundary at which it had not turned the period, or before the next one
   * (`isReadEarly`), for the charge of a period that has begun. Null if it is next read at the end of the period.
   */
  lookAgainAt: Instant | null;
  /**
   * When the provider is read again while the subscription is past due; null before the first time. Views from before
   * these reads existed omit it, and have none.
   */
  pastDueReadAt?: Instant | null;
}

/** The complete state, as billing uses it. */
export interface ProviderWork extends ProviderWaits {
  unsettled: PendingCall | null;
  request: ApprovalRequest | null;
  sync: SyncMarker | null;
  /**
   * The scheduled change as provider B's customer has confirmed it, which B shows until its renewal and bills from then
   * on. Records from before the price was stored omit it.
   */
  confirmed:
    | (Pick<RequestedTerms, 'planId' | 'seats' | 'planReference'> & {
        unitAmount?: RequestedTerms['unitAmount'] | undefined;
      })
    | null;
  /** Requests that the provider cannot withdraw: a later approval of one of them still counts. Newest last. */
  dropped: RequestedTerms[];
  /** Number of reads of the provider at this boundary, or for this charge, without a result. */
  looks: number;
  pastDueReadAt: Instant | null;
  /** When a customer's return last triggered a read of a past-due subscription. */
  returnedAt: Instant | null;
  /** The provider has refused to resume the renewal. Omitted if it was not asked. */
  resumeRefused?: true | undefined;
}

export const NO_WORK: ProviderWork = {
  unsettled: null,
  request: null,
  sync: null,
  lookAgainAt: null,
  confirmed: null,
  dropped: [],
  looks: 0,
  pastDueReadAt: null,
  returnedAt: null,
};

/** Target plan and seats of a change, with the price; minor units as text, because it is stored as JSON. */
interface TargetTerms {
  planId: string;
  planSlug: string;
  seats: number;
  unitAmount: string;
  pricing: Pricing;
  interval: BillingInterval;
}

/** Terms requested of a customer. A provider's subscription that shows both plan and quantity confirms them. */
export interface RequestedTerms extends TargetTerms {
  /** The provider's reference of the plan. */
  planReference: string;
  requestedAt: Instant;
}

export interface ApprovalRequest extends RequestedTerms {
  /** URL where the customer approves; null if the provider needs no approval. */
  approvalUrl: string | null;
  /** When the provider is polled, in case its webhook never arrives. */
  lookAt: Instant;
  /** When the request is dropped. */
  expiresAt: Instant;
}

/** Whether the subscription renews. */
export type RenewalIntent = { kind: 'cancel' } | { kind: 'reactivate' };

/** What a command requests of the provider, and what is recorded once that is done. */
export type ProviderIntent =
  | RenewalIntent
  | { kind: 'withdraw' }
  | { kind: 'change_now'; direction: ChangeDirection; to: RequestedTerms }
  | { kind: 'request_change'; direction: ChangeDirection; to: RequestedTerms }
  | { kind: 'repair'; take: 'provider' | 'local' };

/** One request to the provider. Each states the target state, so that repeating it has no further effect. */
export type ProviderCall = ChangeCall | { action: 'cancel' } | { action: 'reactivate' };

export interface ChangeCall {
  action: 'change';
  planReference: string;
  quantity: number;
  proration: 'invoice_now' | 'none';
  /** The plan is unchanged, and the subscription keeps its price there, whatever the plan's reference there is now. */
  keepsPrice?: boolean | undefined;
  /**
   * The subscription's price in minor units, as the customer was shown it; omitted if it is not needed, and in records
   * from before it was stored.
   */
  unitAmount?: string | undefined;
  /**
   * Key of an earlier change without a known outcome, which must not take effect after this one; omitted if there is
   * none.
   */
  supersedes?: string | undefined;
  /** Keys of further such changes, which older workers do not know; omitted if there are none. */
  alsoSupersedes?: string[] | undefined;
  /** Of a preparation: a command that was accepted since may have taken the same keys, and then counts. Never stored. */
  yields?: boolean | undefined;
  /** The first of these references that costs `unitAmount` at the provider is sent instead of `planReference`. */
  formerReferences?: string[] | undefined;
}

/** A command's calls, from the moment they may have been made until their outcome is recorded. */
export interface PendingCall {
  operationId: string;
  intent: ProviderIntent;
  calls: ProviderCall[];
  /** The same for every retry; the customer's next attempt has another one. */
  key: string;
  since: Instant;
  tries: number;
  retryAt: Instant;
  /** Version of the connection's secrets at that time; omitted in records from before it was stored. */
  secretVersion?: number | undefined;
  /** Whether the calls may have been made; set right before the first of them. Omitted in older records. */
  sent?: boolean | undefined;
}

/** Long enough to restore the right secrets. */
export const OTHER_ACCOUNT_MS = 7 * DAY_MS;

/**
 * Whether a subscription that the provider does not find may be in another account than the one queried, because the
 * connection's secrets were changed after its calls were recorded. Its absence is then inconclusive about the calls.
 * After a week it counts, so that a permanent move to another account is not held up.
 */
export function mayBeInOtherAccount(
  { secretVersion, since }: Pick<PendingCall, 'secretVersion' | 'since'>,
  queried: { secretVersion: number; at: Instant },
): boolean {
  return (
    secretVersion !== undefined &&
    secretVersion !== queried.secretVersion &&
    queried.at < since + OTHER_ACCOUNT_MS
  );
}

/** How long a customer has for an approval unless the workspace specifies otherwise. */
export const APPROVAL_DAYS = 3;

/** Minutes until the provider is read again, by the number of reads without a result. */
const POLL_AGAIN_MINUTES = [5, 15, 60];
const POLL_AGAIN_LATER_MINUTES = 360;
const SETTLE_AGAIN_MINUTES = [1, 2, 5, 15];
const SETTLE_AGAIN_LATER_MINUTES = 60;
/** Maximum number of remembered requests that the provider cannot withdraw. */
const MAX_DROPPED = 20;

/**
 * Returns when the provider is read again after a boundary at which it has not turned the period.
 * @param looks how often it has already been read for that boundary
 */
export function pollAgainAfter(looks: number, now: Instant): Instant {
  return now + (POLL_AGAIN_MINUTES[looks] ?? POLL_AGAIN_LATER_MINUTES) * MINUTE_MS;
}

/** Returns when a call without an outcome is retried. */
export function retryPendingCallAt(tries: number, now: Instant): Instant {
  return now + (SETTLE_AGAIN_MINUTES[tries] ?? SETTLE_AGAIN_LATER_MINUTES) * MINUTE_MS;
}

/** Returns when an approval is next polled, in case its webhook does not arrive: soon, and then every few hours. */
export function nextApprovalPollAt({ requestedAt, expiresAt }: ApprovalRequest, now: Instant): Instant {
  const waited = now - requestedAt;
  const pause = Math.min(Math.max(waited, 10 * MINUTE_MS), 6 * HOUR_MS);
  return Math.min(now + pause, expiresAt);
}

/** Drops a request that is no longer waited for, although the provider keeps it. */
export function withDropped(work: ProviderWork, request: RequestedTerms): ProviderWork {
  const { planId, planSlug, seats, unitAmount, pricing, interval, planReference, requestedAt } = request;
  const terms = { planId, planSlug, seats, unitAmount, pricing, interval, planReference, requestedAt };
  const others = work.dropped.filter((one) => one.planReference !== planReference || one.seats !== seats);
  return { ...work, dropped: [...others, terms].slice(-MAX_DROPPED) };
}
