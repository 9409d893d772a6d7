import { z } from 'zod';
import { MalformedEventError, type CanonicalEventType } from '../canonical-event';
import { captureOfRefund } from './refunded-capture';
import { disputeFacts, disputeObject } from './dispute-facts';
import { captureFacts, saleFacts } from './payment-facts';
import { refundFacts, saleRefundFacts } from './refund-facts';
import { captureObject, refundObject, refundOrigin, saleObject, saleRefundObject } from './schemas';
import { reversalFacts } from './sale-reversal';
import { amountOfVersion1, identifier, instant } from './values';
import { type EventFacts, type Reader, required, complete, named } from './event-resource';

const saleOrigin = z.object({ id: identifier, billing_agreement_id: identifier.nullish() });

/** Reads a sale event. A sale is a payment of a subscription if it names one (`billing_agreement_id`). */
export function aboutSale(ofSubscription: CanonicalEventType, otherwise: CanonicalEventType): Reader {
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

export function aboutCapture(type: CanonicalEventType): Reader {
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

/** Reads a refund event. The resource's own id is the refund's. An event that names no capture is refused. */
export function aboutRefund(resource: unknown): EventFacts {
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

export function aboutSaleRefund(resource: unknown): EventFacts {
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
 * Reads a reversal, which arrives as a refund or as the sale itself with a negative amount. In the latter case its id
 * is the payment's, and the event is B's only record of it.
 */
export function aboutSaleReversal(resource: unknown): EventFacts {
  if (complete(saleRefundOrigin, resource) !== null) return aboutSaleRefund(resource);
  const { id } = required(named, resource, 'which payment was reversed');
  const { amount, update_time: at } = required(reversedSale, resource, 'how much was reversed');
  const { references } = aboutSale('ignored', 'ignored')(resource);
  return { type: 'refund.changed', references, refund: reversalFacts(id, amount, at ?? null) };
}

const dispute = z.object({
  disputed_transactions: z.array(z.object({ seller_transaction_id: identifier.nullish() })),
});

/** A disputed transaction is a capture or a sale, and the event does not say which. */
export function aboutDispute(resource: unknown): EventFacts {
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
