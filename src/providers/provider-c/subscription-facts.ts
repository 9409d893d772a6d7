import type { Instant } from '../../domain/instant';
import type { RenewalInvoice } from '../../domain/renewal-invoice';
import type { SubscriptionFacts } from '../canonical-event';

const SUBSCRIPTION_STATUSES: ReadonlyMap<string, SubscriptionFacts['status']> = new Map([
  ['active', 'active'],
  ['non-renewing', 'active'],
  ['attention', 'past_due'],
  // The webhook says `complete`, the API `completed`; both also use it for a cancelled one at its period end.
  ['complete', 'cancelled'],
  ['completed', 'cancelled'],
  ['cancelled', 'cancelled'],
]);

const COMPLETED: ReadonlySet<string> = new Set(['complete', 'completed']);

/** The fields of provider C's subscription, in the provider's terms. */
export interface SubscriptionState {
  code: string;
  status: string;
  /** Null once it does not renew. */
  nextPaymentDate: Instant | null;
  /** Null if not stated. */
  createdAt: Instant | null;
  /** Whether anything but the first charge has been charged: that one has no invoice. */
  hasInvoice: boolean;
  /** From the last invoice, if it was paid. */
  lastPeriodStart: Instant | null;
  /** The last charge failed, and nothing has been charged since. */
  lastChargeFailed: boolean;
  /** The last invoice; null if not stated. */
  lastInvoice: RenewalInvoice | null;
  planCode: string | null;
  customerCode: string | null;
  quantity: number | null;
  /** The amount charged, minor units as text; null if not stated. */
  unitAmount: string | null;
}

/**
 * Translates a subscription. A period end is known only while the subscription renews: without a next payment date
 * `currentPeriodEnd` is null, and the start of the last paid period identifies the current period. Undefined if the
 * status is unknown.
 */
export function subscriptionFacts(state: SubscriptionState): SubscriptionFacts | undefined {
  const status = SUBSCRIPTION_STATUSES.get(state.status);
  if (status === undefined) return undefined;
  const end = status === 'cancelled' ? null : state.nextPaymentDate;
  // Completed with its last charge. That period is paid.
  const isCompleted = COMPLETED.has(state.status) && !state.lastChargeFailed;
  const firstPeriodStart = isCompleted && !state.hasInvoice ? state.createdAt : null;
  const start = state.lastPeriodStart ?? firstPeriodStart;
  const isStated = start !== null && (end === null || start < end);
  return {
    reference: state.code,
    status: status === 'active' && state.lastChargeFailed ? 'past_due' : status,
    planReference: state.planCode,
    quantity: state.quantity,
    currentPeriodStart: isStated && (status !== 'cancelled' || isCompleted) ? start : null,
    currentPeriodEnd: end,
    cancelAtPeriodEnd: state.status === 'non-renewing',
    ...(isCompleted && { isCompleted }),
    customerReference: state.customerCode,
    ...(state.createdAt !== null && { beganAt: state.createdAt }),
    ...(state.unitAmount !== null && { unitAmount: state.unitAmount }),
    ...(state.lastInvoice !== null && { renewalInvoice: state.lastInvoice }),
  };
}
