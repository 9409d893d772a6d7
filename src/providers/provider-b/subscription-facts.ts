import type { z } from 'zod';
import type { SubscriptionFacts } from '../canonical-event';
import type { subscriptionObject } from './schemas';

type Subscription = z.infer<typeof subscriptionObject>;

const SUBSCRIPTION_STATUS = {
  APPROVAL_PENDING: 'incomplete',
  APPROVED: 'incomplete',
  ACTIVE: 'active',
  SUSPENDED: 'past_due',
  CANCELLED: 'cancelled',
  // The plan's last billing cycle is over.
  EXPIRED: 'cancelled',
} as const;

export function subscriptionFacts(subscription: Subscription): SubscriptionFacts {
  const billing = subscription.billing_info;
  const status = SUBSCRIPTION_STATUS[subscription.status];
  const isUnpaid = (billing?.failed_payments_count ?? 0) > 0;
  const isExpired = subscription.status === 'EXPIRED';
  return {
    reference: subscription.id,
    // B calls a subscription active while it retries a failed payment; the count returns to 0 once it is paid.
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
    ...(subscription.status === 'SUSPENDED' && billing?.failed_payments_count === 0 && { isSuspended: true }),
    ...(subscription.start_time && { beganAt: subscription.start_time }),
    customerReference: subscription.subscriber?.payer_id ?? null,
    ...paidLast(subscription),
  };
}

function paidLast({ billing_info: billing }: Subscription): Pick<SubscriptionFacts, 'lastPayment'> {
  const { time, amount } = billing?.last_payment ?? {};
  return time && amount ? { lastPayment: { amount: amount.amount.toString(), at: time } } : {};
}
