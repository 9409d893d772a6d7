import type { CanonicalEvent, ReferenceKind } from '../canonical-event';
import { paymentOfInvoice, subscriptionOfInvoice } from './invoice-facts';
import {
  chargeWire,
  checkoutWire,
  disputeWire,
  invoiceWire,
  paymentIntentWire,
  refundWire,
  subscriptionWire,
} from './schemas';

type References = CanonicalEvent['references'];

/** Returns every reference in an event's object that may name something of ours, the object itself first. */
export function referencesOf(object: { object: string; id?: string | null | undefined }): References {
  switch (object.object) {
    case 'subscription': {
      const { id, customer } = subscriptionWire.parse(object);
      return named(['subscription', id], ['customer', customer]);
    }
    case 'invoice': {
      const wire = invoiceWire.parse(object);
      return named(
        ['invoice', wire.id],
        ['subscription', subscriptionOfInvoice(wire)],
        ['payment', paymentOfInvoice(wire)],
        ['customer', wire.customer],
      );
    }
    case 'payment_intent': {
      const wire = paymentIntentWire.parse(object);
      return named(
        ['payment', wire.id],
        ['charge', wire.latest_charge],
        ['invoice', wire.invoice],
        ['customer', wire.customer],
      );
    }
    case 'charge': {
      const wire = chargeWire.parse(object);
      return named(
        ['charge', wire.id],
        ['payment', wire.payment_intent],
        ['invoice', wire.invoice],
        ['customer', wire.customer],
      );
    }
    case 'refund': {
      const wire = refundWire.parse(object);
      return named(['refund', wire.id], ['payment', wire.payment_intent], ['charge', wire.charge]);
    }
    case 'checkout.session': {
      const wire = checkoutWire.parse(object);
      return named(
        ['checkout', wire.id],
        ['subscription', wire.subscription],
        ['payment', wire.payment_intent],
        ['invoice', wire.invoice],
        ['customer', wire.customer],
      );
    }
    case 'dispute': {
      const wire = disputeWire.parse(object);
      return named(['dispute', wire.id], ['payment', wire.payment_intent], ['charge', wire.charge]);
    }
    case 'payout':
      return named(['payout', object.id ?? null]);
    case 'customer':
      return named(['customer', object.id ?? null]);
    default:
      return [];
  }
}

function named(...pairs: [ReferenceKind, string | null][]): References {
  return pairs.flatMap(([kind, reference]) => (reference === null ? [] : [{ kind, reference }]));
}
