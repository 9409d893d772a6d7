import type { ChangeDirection } from './change-direction';
import type { Instant } from './instant';
import type { SyncMarker, SyncState } from './synchronizer-marker';
import type { BillingInterval, Pricing } from './subscription-types';

/** What is under way between a subscription and its payment provider: the part of the row that its time depends on. */
export interface ProviderWaits {
  /** A call whose outcome is not known yet; it is retried until it is. */
  unsettled: { retryAt: Instant } | null;
  /** A change that its customer has still to approve at the provider. */
  request: { lookAt: Instant; expiresAt: Instant } | null;
  /** Provider A's synchronizer, on a change that waits for the renewal. */
  sync: { state: SyncState; retryAt: Instant | null } | null;
  /** When the provider is read again after a boundary at which it had not turned the period; null before one. */
  lookAgainAt: Instant | null;
  /**
   * When the provider is read again while the subscription is past due; null before the first time. Views of before
   * there were such readings leave it out, and have none.
   */
  pastDueReadAt?: Instant | null;
}

/** The whole of it, as billing works with it. */
export interface ProviderWork extends ProviderWaits {
  unsettled: PendingCall | null;
  request: ApprovalRequest | null;
  sync: SyncMarker | null;
  /**
   * What provider B's customer has confirmed, of the scheduled change: what B shows until its renewal, and bills then. What
   * was recorded before its price was kept leaves that out.
   */
  confirmed:
    | (Pick<RequestedTerms, 'planId' | 'seats' | 'planReference'> & {
        unitAmount?: RequestedTerms['unitAmount'] | undefined;
      })
    | null;
  /** What the provider cannot take back: a later approval of one of these still counts. The newest last. */
  dropped: RequestedTerms[];
  /** How often the provider was read at this boundary without a result. */
  looks: number;
  pastDueReadAt: Instant | null;
  /** When a customer's return last had a past-due subscription read. */
  returnedAt: Instant | null;
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

/** A plan and seats at their price, as a change leads to them; minor units as text, because it is stored as JSON. */
interface TargetTerms {
  planId: string;
  planSlug: string;
  seats: number;
  unitAmount: string;
  pricing: Pricing;
  interval: BillingInterval;
}

/** What was asked of a customer: confirmed by a subscription of the provider that shows both. */
export interface RequestedTerms extends TargetTerms {
  /** The provider's name of the plan. */
  planReference: string;
  requestedAt: Instant;
}

export interface ApprovalRequest extends RequestedTerms {
  /** Where the customer approves; null where the provider needs no approval. */
  approvalUrl: string | null;
  /** When the provider is read, in case its webhook never comes. */
  lookAt: Instant;
  /** When the request is dropped. */
  expiresAt: Instant;
}

/** What a command asks of the provider, and what is written down once that is done. */
export type ProviderIntent =
  | { kind: 'cancel' }
  | { kind: 'reactivate' }
  | { kind: 'withdraw' }
  | { kind: 'change_now'; direction: ChangeDirection; to: RequestedTerms }
  | { kind: 'request_change'; direction: ChangeDirection; to: RequestedTerms }
  | { kind: 'repair'; take: 'provider' | 'local' };

/** One thing that the provider is asked to do. Each says what is to be, so that asking twice has one effect. */
export type ProviderCall = ChangeCall | { action: 'cancel' } | { action: 'reactivate' };

interface ChangeCall {
  action: 'change';
  planReference: string;
  quantity: number;
  proration: 'invoice_now' | 'none';
  /** The plan stays: so does the price that the subscription has there, whatever the plan's name there is by now. */
  keepsPrice?: boolean | undefined;
}

/** A command's calls from the moment they may have been made until their outcome is written down. */
export interface PendingCall {
  operationId: string;
  intent: ProviderIntent;
  calls: ProviderCall[];
  /** The same at every sending, and another one for the customer's next attempt. */
  key: string;
  since: Instant;
  tries: number;
  retryAt: Instant;
  /** Of the connection's secrets then; left out by what was recorded before it was kept. */
  secretVersion?: number | undefined;
}

/** Long enough to put the right secrets back. */
export const OTHER_ACCOUNT_MS = 7 * 86_400_000;

/**
 * Whether a subscription that the provider does not find may be in another account than the one that is asked, because the
 * connection's secrets were changed since its calls were recorded. That it is not found says nothing of the calls then. After
 * a week it counts: whoever moved to another account for good is not held up by it.
 */
export function mayBeInOtherAccount(
  { secretVersion, since }: Pick<PendingCall, 'secretVersion' | 'since'>,
  asked: { secretVersion: number; at: Instant },
): boolean {
  return (
    secretVersion !== undefined &&
    secretVersion !== asked.secretVersion &&
    asked.at < since + OTHER_ACCOUNT_MS
  );
}

/** How long a customer has for an approval unless the workspace says otherwise. */
export const APPROVAL_DAYS = 3;

const MINUTE_MS = 60_000;
/** Minutes until the provider is read again, by the number of reads without a result. */
const LOOK_AGAIN_MINUTES = [5, 15, 60];
const LOOK_AGAIN_LATER_MINUTES = 360;
const SETTLE_AGAIN_MINUTES = [1, 2, 5, 15];
const SETTLE_AGAIN_LATER_MINUTES = 60;
/** So many requests that the provider cannot take back are remembered. */
const MOST_DROPPED = 20;

/** After a boundary that the provider has not turned. @param looks how often it was read for it already */
export function lookAgainAfter(looks: number, now: Instant): Instant {
  return now + (LOOK_AGAIN_MINUTES[looks] ?? LOOK_AGAIN_LATER_MINUTES) * MINUTE_MS;
}

/** After a call without an outcome. */
export function retryPendingCallAt(tries: number, now: Instant): Instant {
  return now + (SETTLE_AGAIN_MINUTES[tries] ?? SETTLE_AGAIN_LATER_MINUTES) * MINUTE_MS;
}

/** When an approval is looked for, should its webhook not come: soon, and then every few hours. */
export function nextApprovalLook({ requestedAt, expiresAt }: ApprovalRequest, now: Instant): Instant {
  const waited = now - requestedAt;
  const pause = Math.min(Math.max(waited, 10 * MINUTE_MS), 6 * 60 * MINUTE_MS);
  return Math.min(now + pause, expiresAt);
}

/** A request that is not waited for any more; the provider keeps it all the same. */
export function withDropped(work: ProviderWork, request: RequestedTerms): ProviderWork {
  const { planId, planSlug, seats, unitAmount, pricing, interval, planReference, requestedAt } = request;
  const terms = { planId, planSlug, seats, unitAmount, pricing, interval, planReference, requestedAt };
  const others = work.dropped.filter((one) => one.planReference !== planReference || one.seats !== seats);
  return { ...work, dropped: [...others, terms].slice(-MOST_DROPPED) };
}
