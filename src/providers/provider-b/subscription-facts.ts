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
    currentPeriodStart: isExpired ? null : periodStart(subscription),
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

/**
 * Returns the start of the current period, which is known for the first period only: B states when a subscription began
 * and when the next payment is due. The time of the last payment does not work, because a payment can be late.
 */
function periodStart({ billing_info: billing, start_time }: Subscription): number | null {
  const cycles = billing?.cycle_executions?.reduce((sum, cycle) => sum + cycle.cycles_completed, 0);
  return cycles !== undefined && cycles <= 1 ? (start_time ?? null) : null;
}
