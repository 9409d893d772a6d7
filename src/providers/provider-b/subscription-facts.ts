import type { z } from 'zod';
import type { Instant } from '../../domain/instant';
import type { SubscriptionFacts } from '../canonical-event';
import type { subscriptionObject } from './schemas';

type Subscription = z.infer<typeof subscriptionObject>;

const SUBSCRIPTION_STATUS = {
  APPROVAL_PENDING: 'incomplete',
  APPROVED: 'incomplete',
  ACTIVE: 'active',
  SUSPENDED: 'past_due',
  CANCELLED: 'cancelled',
  // The plan's last billing cycle was charged.
  EXPIRED: 'cancelled',
} as const;

export function subscriptionFacts(subscription: Subscription): SubscriptionFacts {
  const billing = subscription.billing_info;
  const status = SUBSCRIPTION_STATUS[subscription.status];
  const failure = lastFailure(subscription);
  const isUnpaid = failure !== null && !failure.isForgiven;
  const isExpired = subscription.status === 'EXPIRED';
  return {
    reference: subscription.id,
    // B calls a subscription active while it retries a failed payment, and after it has been resumed unpaid.
    status: isUnpaid && status === 'active' ? 'past_due' : isUnpaid && isExpired ? 'expired' : status,
    ...(isExpired && !isUnpaid && { isCompleted: true }),
    planReference: subscription.plan_id ?? null,
    quantity: subscription.quantity ?? null,
    // B states when a subscription began and when the next payment is due. The count of completed cycles does not tell
    // the first period from a later one, because an unpaid cycle is not counted; nor does a payment, which can be late.
    currentPeriodStart: null,
    currentPeriodEnd: billing?.next_billing_time ?? null,
    cancelAtPeriodEnd: false,
    // Suspended by the merchant or the customer, and not because of failed payments.
    ...(subscription.status === 'SUSPENDED' &&
      billing?.failed_payments_count === 0 &&
      !isUnpaid && { isSuspended: true }),
    ...(failure?.isForgiven && failure.at !== null && { forgivenAt: failure.at }),
    ...(subscription.start_time && { beganAt: subscription.start_time }),
    customerReference: subscription.subscriber?.payer_id ?? null,
    ...paidLast(subscription),
  };
}

/**
 * Returns the failure of the last payment that B tried; null if that payment succeeded. B counts a failure only after
 * the last retry, ten days later, and until a payment succeeds: before, only the time of the failed payment shows it.
 */
function lastFailure({
  billing_info: billing,
}: Subscription): { at: Instant | null; isForgiven: boolean } | null {
  const at = billing?.last_failed_payment?.time ?? null;
  const paidAt = billing?.last_payment?.time ?? null;
  const hasFailed = at !== null && (paidAt === null || at > paidAt);
  const isOne = hasFailed || (billing?.failed_payments_count ?? 0) > 0;
  return isOne ? { at, isForgiven: isForgiven(billing) } : null;
}

/**
 * Whether the merchant has set what was outstanding to zero, as after a payment that was not made through B. Nothing is
 * outstanding either while a failed payment is retried, but then it is still the next one.
 */
function isForgiven(billing: Subscription['billing_info']): boolean {
  const { last_failed_payment: failure, next_billing_time: next, outstanding_balance: left } = billing ?? {};
  if (!failure?.time || !next || left?.amount !== 0n) return false;
  return next > failure.time && !failure.next_payment_retry_time;
}

function paidLast({ billing_info: billing }: Subscription): Pick<SubscriptionFacts, 'lastPayment'> {
  const { time, amount } = billing?.last_payment ?? {};
  return time && amount ? { lastPayment: { amount: amount.amount.toString(), at: time } } : {};
}
