import type { Instant } from '../../domain/instant';
import type { SubscriptionFacts } from '../canonical-event';

const SUBSCRIPTION_STATUSES: ReadonlyMap<string, SubscriptionFacts['status']> = new Map([
  ['active', 'active'],
  ['non-renewing', 'active'],
  ['attention', 'past_due'],
  // The webhook says `complete` where the API says `completed`, and both say it of a cancelled one at its boundary.
  ['complete', 'cancelled'],
  ['completed', 'cancelled'],
  ['cancelled', 'cancelled'],
]);

/** What provider C says of a subscription, in its own words. */
export interface SubscriptionState {
  code: string;
  status: string;
  /** Null once it does not renew. */
  nextPaymentDate: Instant | null;
  /** Of the last invoice, when that was paid. */
  lastPeriodStart: Instant | null;
  /** The last charge failed, and nothing was charged since. */
  lastChargeFailed: boolean;
  planCode: string | null;
  customerCode: string | null;
  quantity: number | null;
  /** What it is charged, minor units as text; null where that is not said. */
  unitAmount: string | null;
}

/**
 * A period's end is known only while the subscription renews: without a next payment date `currentPeriodEnd` is null,
 * and the start of the last period that was paid says which period runs. Undefined when the status is not known.
 */
export function subscriptionFacts(state: SubscriptionState): SubscriptionFacts | undefined {
  const status = SUBSCRIPTION_STATUSES.get(state.status);
  if (status === undefined) return undefined;
  const end = status === 'cancelled' ? null : state.nextPaymentDate;
  const start = state.lastPeriodStart;
  return {
    reference: state.code,
    status: status === 'active' && state.lastChargeFailed ? 'past_due' : status,
    planReference: state.planCode,
    quantity: state.quantity,
    currentPeriodStart:
      status !== 'cancelled' && start !== null && (end === null || start < end) ? start : null,
    currentPeriodEnd: end,
    cancelAtPeriodEnd: state.status === 'non-renewing',
    customerReference: state.customerCode,
    ...(state.unitAmount !== null && { unitAmount: state.unitAmount }),
  };
}
