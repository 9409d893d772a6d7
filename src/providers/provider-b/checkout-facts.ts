import type { z } from 'zod';
import type { PaymentFacts } from '../canonical-event';
import type { CheckoutFacts, ProviderReference } from '../provider-operations';
import { orderFacts } from './payment-facts';
import type { checkoutOrder, subscriptionObject } from './schemas';

type Order = z.infer<typeof checkoutOrder>;
type Subscription = z.infer<typeof subscriptionObject>;

const ORDER_STATUS = {
  CREATED: 'open',
  SAVED: 'open',
  PAYER_ACTION_REQUIRED: 'open',
  APPROVED: 'approved',
  COMPLETED: 'complete',
  VOIDED: 'expired',
} as const;

/** A complete order is not yet a complete payment; only its capture says that. */
export function checkoutOfOrder(order: Order): CheckoutFacts {
  const facts = orderFacts(order);
  const payment = facts.kind === 'capture' ? facts : null;
  return {
    status: ORDER_STATUS[order.status],
    references: [{ kind: 'order', reference: order.id }, ...referenceOf(payment)],
    subscriptionReference: null,
    customerReference: order.payer?.payer_id ?? null,
    payment,
  };
}

const SUBSCRIPTION_STATUS = {
  APPROVAL_PENDING: 'open',
  APPROVED: 'open',
  ACTIVE: 'complete',
  SUSPENDED: 'complete',
  CANCELLED: 'expired',
  EXPIRED: 'expired',
} as const;

export function checkoutOfSubscription(
  subscription: Subscription,
  payment: PaymentFacts | null,
): CheckoutFacts {
  return {
    status: isPaidInFull(subscription) ? 'complete' : SUBSCRIPTION_STATUS[subscription.status],
    references: [{ kind: 'subscription', reference: subscription.id }, ...referenceOf(payment)],
    subscriptionReference: subscription.id,
    customerReference: subscription.subscriber?.payer_id ?? null,
    payment,
  };
}

/** A plan of one billing cycle expires with the first payment. */
function isPaidInFull({ status, billing_info: billing }: Subscription): boolean {
  return status === 'EXPIRED' && (billing?.last_payment ?? null) !== null;
}

function referenceOf(payment: PaymentFacts | null): ProviderReference[] {
  return payment === null ? [] : [{ kind: payment.kind, reference: payment.reference }];
}
