import { z } from 'zod';
import { MalformedEventError, type CanonicalEvent, type CanonicalEventType } from '../canonical-event';
import { captureOfRefund } from './refunded-capture';
import { disputeFacts, disputeObject } from './dispute-facts';
import { captureFacts, saleFacts } from './payment-facts';
import { refundFacts, saleRefundFacts } from './refund-facts';
import { subscriptionFacts } from './subscription-facts';
import {
  captureObject,
  refundObject,
  refundOrigin,
  saleObject,
  saleRefundObject,
  subscriptionObject,
} from './schemas';
import { reversalFacts } from './sale-reversal';
import { amountOfVersion1, identifier, instant } from './values';

/** What an event's resource tells, beside the envelope. */
type EventFacts = Pick<
  CanonicalEvent,
  'type' | 'references' | 'subscription' | 'payment' | 'refund' | 'dispute'
>;

/** @throws MalformedEventError when the resource does not say what the event is about */
type Reader = (resource: unknown) => EventFacts;

/**
 * What an event is about must be there. Facts are read where they are complete; without them the event is a hint, and
 * the object is fetched.
 */
function required<T>(shape: z.ZodType<T>, resource: unknown, what: string): T {
  const read = shape.safeParse(resource);
  if (read.success) return read.data;
  throw new MalformedEventError(`The event does not state ${what}.`);
}

function complete<T>(shape: z.ZodType<T>, resource: unknown): T | null {
  const read = shape.safeParse(resource);
  return read.success ? read.data : null;
}

const named = z.object({ id: identifier });

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

const saleOrigin = z.object({ id: identifier, billing_agreement_id: identifier.nullish() });

/** A sale is a payment of a subscription when it names one (`billing_agreement_id`). */
function aboutSale(ofSubscription: CanonicalEventType, otherwise: CanonicalEventType): Reader {
  return (resource) => {
    const { id, billing_agreement_id: agreement } = required(
      saleOrigin,
      resource,
      'which payment it is about',
    );
    const sale = complete(saleObject, resource);
    const subscription = agreement ?? null;
    return {
      type: subscription === null ? otherwise : ofSubscription,
      references: [
        { kind: 'payment', reference: id },
        ...(subscription === null ? [] : [{ kind: 'subscription' as const, reference: subscription }]),
      ],
      ...(sale === null ? {} : { payment: saleFacts(sale) }),
    };
  };
}

const captureOrigin = z.object({
  id: identifier,
  supplementary_data: z
    .object({ related_ids: z.object({ order_id: identifier.nullish() }).nullish() })
    .nullish(),
});

function aboutCapture(type: CanonicalEventType): Reader {
  return (resource) => {
    const origin = required(captureOrigin, resource, 'which capture it is about');
    const order = origin.supplementary_data?.related_ids?.order_id ?? null;
    const capture = complete(captureObject, resource);
    return {
      type,
      references: [
        { kind: 'capture', reference: origin.id },
        ...(order === null ? [] : [{ kind: 'order' as const, reference: order }]),
      ],
      ...(capture === null ? {} : { payment: captureFacts(capture) }),
    };
  };
}

/** The resource's own id is the refund's; an event that names no capture is refused rather than guessed at. */
function aboutRefund(resource: unknown): EventFacts {
  const { id } = required(named, resource, 'which refund it is about');
  const capture = captureOfRefund(required(refundOrigin, resource, 'which capture was refunded'));
  if (capture === null) throw new MalformedEventError('The event does not state which capture was refunded.');
  const refund = complete(refundObject, resource);
  return {
    type: 'refund.changed',
    references: [
      { kind: 'refund', reference: id },
      { kind: 'capture', reference: capture },
    ],
    ...(refund === null ? {} : { refund: refundFacts(refund, capture) }),
  };
}

const saleRefundOrigin = z.object({ id: identifier, sale_id: identifier });

function aboutSaleRefund(resource: unknown): EventFacts {
  const { id, sale_id: sale } = required(saleRefundOrigin, resource, 'which payment was refunded');
  const refund = complete(saleRefundObject, resource);
  return {
    type: 'refund.changed',
    references: [
      { kind: 'refund', reference: id },
      { kind: 'payment', reference: sale },
    ],
    ...(refund === null ? {} : { refund: saleRefundFacts(refund) }),
  };
}

const reversedSale = z.object({ amount: amountOfVersion1, update_time: instant.nullish().catch(null) });

/**
 * A reversal comes as a refund, or as the sale itself with a negative amount: then its id is the payment's, and nothing
 * at B says more than the event does.
 */
function aboutSaleReversal(resource: unknown): EventFacts {
  if (complete(saleRefundOrigin, resource) !== null) return aboutSaleRefund(resource);
  const { id } = required(named, resource, 'which payment was reversed');
  const { amount, update_time: at } = required(reversedSale, resource, 'how much was reversed');
  const { references } = aboutSale('ignored', 'ignored')(resource);
  return { type: 'refund.changed', references, refund: reversalFacts(id, amount, at ?? null) };
}

function aboutOrder(type: CanonicalEventType): Reader {
  return (resource) => {
    const { id } = required(named, resource, 'which order it is about');
    return { type, references: [{ kind: 'order', reference: id }] };
  };
}

const approvalReversal = z.object({ order_id: identifier });

function aboutApprovalReversal(resource: unknown): EventFacts {
  const { order_id: reference } = required(approvalReversal, resource, 'which order it is about');
  return { type: 'checkout.expired', references: [{ kind: 'order', reference }] };
}

const dispute = z.object({
  disputed_transactions: z.array(z.object({ seller_transaction_id: identifier.nullish() })),
});

/** A disputed transaction is a capture or a sale, and the event does not say which. */
function aboutDispute(resource: unknown): EventFacts {
  const { disputed_transactions: disputed } = required(dispute, resource, 'what is disputed');
  const ids = disputed.flatMap(({ seller_transaction_id: id }) => id ?? []);
  const facts = complete(disputeObject, resource);
  return {
    type: 'dispute.changed',
    ...(facts === null ? {} : { dispute: disputeFacts(facts) }),
    references: ids.flatMap((reference) => [
      { kind: 'capture' as const, reference },
      { kind: 'payment' as const, reference },
    ]),
  };
}

/**
 * The events that say something to this service. An approved order is a finished checkout; that money moved, only a
 * capture says.
 */
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
  'CHECKOUT.ORDER.APPROVED': aboutOrder('checkout.completed'),
  'CHECKOUT.ORDER.COMPLETED': aboutOrder('checkout.completed'),
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED': aboutApprovalReversal,
  'CUSTOMER.DISPUTE.CREATED': aboutDispute,
  'CUSTOMER.DISPUTE.UPDATED': aboutDispute,
  'CUSTOMER.DISPUTE.RESOLVED': aboutDispute,
};
