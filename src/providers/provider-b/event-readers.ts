import { z } from 'zod';
import type { CanonicalEventType } from '../canonical-event';
import { subscriptionFacts } from './subscription-facts';
import { subscriptionObject } from './schemas';
import { identifier } from './values';
import { type EventFacts, type Reader, required, complete, named } from './event-resource';
import {
  aboutSale,
  aboutCapture,
  aboutRefund,
  aboutSaleRefund,
  aboutSaleReversal,
  aboutDispute,
} from './money-event-readers';

function aboutSubscription(type: CanonicalEventType): Reader {
  return (resource) => {
    const { id } = required(named, resource, 'which subscription it is about');
    const subscription = complete(subscriptionObject, resource);
    return {
      type,
      references: [{ kind: 'subscription', reference: id }],
      ...(subscription === null ? {} : { subscription: subscriptionFacts(subscription) }),
    };
  };
}

function aboutOrder(resource: unknown): EventFacts {
  const { id } = required(named, resource, 'which order it is about');
  return { type: 'checkout.completed', references: [{ kind: 'order', reference: id }] };
}

const approvalReversal = z.object({ order_id: identifier });

function aboutApprovalReversal(resource: unknown): EventFacts {
  const { order_id: reference } = required(approvalReversal, resource, 'which order it is about');
  return { type: 'checkout.expired', references: [{ kind: 'order', reference }] };
}

/** The events that matter here. An approved order is a finished checkout; only a capture says that money moved. */
export const EVENT_READERS: Readonly<Partial<Record<string, Reader>>> = {
  'BILLING.SUBSCRIPTION.CREATED': aboutSubscription('subscription.changed'),
  'BILLING.SUBSCRIPTION.ACTIVATED': aboutSubscription('subscription.changed'),
  'BILLING.SUBSCRIPTION.RE-ACTIVATED': aboutSubscription('subscription.changed'),
  'BILLING.SUBSCRIPTION.UPDATED': aboutSubscription('subscription.changed'),
  'BILLING.SUBSCRIPTION.SUSPENDED': aboutSubscription('subscription.changed'),
  'BILLING.SUBSCRIPTION.CANCELLED': aboutSubscription('subscription.ended'),
  'BILLING.SUBSCRIPTION.EXPIRED': aboutSubscription('subscription.ended'),
  'BILLING.SUBSCRIPTION.PAYMENT.FAILED': aboutSubscription('invoice.failed'),
  'PAYMENT.SALE.COMPLETED': aboutSale('invoice.paid', 'payment.succeeded'),
  // A cheque, for example. The period has begun, and its payment is known until it clears or is returned.
  'PAYMENT.SALE.PENDING': aboutSale('subscription.changed', 'ignored'),
  'PAYMENT.SALE.DENIED': aboutSale('invoice.failed', 'payment.failed'),
  'PAYMENT.SALE.REFUNDED': aboutSaleRefund,
  'PAYMENT.SALE.REVERSED': aboutSaleReversal,
  'PAYMENT.CAPTURE.COMPLETED': aboutCapture('payment.succeeded'),
  'PAYMENT.CAPTURE.DENIED': aboutCapture('payment.failed'),
  'PAYMENT.CAPTURE.DECLINED': aboutCapture('payment.failed'),
  'PAYMENT.CAPTURE.REFUNDED': aboutRefund,
  'PAYMENT.CAPTURE.REVERSED': aboutRefund,
  'PAYMENT.REFUND.PENDING': aboutRefund,
  'PAYMENT.REFUND.FAILED': aboutRefund,
  'CHECKOUT.ORDER.APPROVED': aboutOrder,
  'CHECKOUT.ORDER.COMPLETED': aboutOrder,
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED': aboutApprovalReversal,
  'CUSTOMER.DISPUTE.CREATED': aboutDispute,
  'CUSTOMER.DISPUTE.UPDATED': aboutDispute,
  'CUSTOMER.DISPUTE.RESOLVED': aboutDispute,
};
