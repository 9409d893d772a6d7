import type { z } from 'zod';
import type { PaymentFacts } from '../canonical-event';
import { readMoney } from './amounts';
import { chargeWire, checkoutWire, paymentIntentWire } from './schemas';

type Status = PaymentFacts['status'];

const OUR_CHECKOUT_ID = /^chk_[0-9a-z]{26}$/;

export function paymentIntentFacts(object: unknown): PaymentFacts | undefined {
  const wire = paymentIntentWire.parse(object);
  const status = paymentStatus(wire.status);
  const money = readMoney(
    status === 'succeeded' ? (wire.amount_received ?? wire.amount) : wire.amount,
    wire.currency,
  );
  return (
    money && {
      reference: wire.id,
      kind: 'payment',
      ...money,
      status,
      subscriptionReference: null,
      invoiceReference: wire.invoice,
      occurredAt: wire.created,
      ...ourCheckoutId(wire.metadata?.['checkoutId']),
    }
  );
}

/** Reads our id of a checkout from the field in which we send it. The dashboard's users may write there too. */
function ourCheckoutId(value: unknown): Pick<PaymentFacts, 'checkoutId'> {
  return typeof value === 'string' && OUR_CHECKOUT_ID.test(value) ? { checkoutId: value } : {};
}

export function chargeFacts(object: unknown): PaymentFacts | undefined {
  return factsOfCharge(chargeWire.parse(object));
}

export function factsOfCharge(wire: z.output<typeof chargeWire>): PaymentFacts | undefined {
  // Of a reserved amount, only a part may have been taken.
  const money = readMoney(
    wire.status === 'succeeded' ? (wire.amount_captured ?? wire.amount) : wire.amount,
    wire.currency,
  );
  return (
    money && {
      reference: wire.id,
      kind: 'charge',
      ...money,
      status: wire.status === 'succeeded' || wire.status === 'failed' ? wire.status : 'pending',
      subscriptionReference: null,
      invoiceReference: wire.invoice,
      occurredAt: wire.created,
    }
  );
}

/** Returns the payment of a checkout session; undefined if nothing was paid yet or nothing was due. */
export function checkoutFacts(object: unknown): PaymentFacts | undefined {
  const wire = checkoutWire.parse(object);
  if (wire.payment_intent === null || !wire.amount_total || !wire.currency) return undefined;
  const money = readMoney(wire.amount_total, wire.currency);
  return (
    money && {
      reference: wire.payment_intent,
      kind: 'payment',
      ...money,
      status: wire.payment_status === 'paid' ? 'succeeded' : 'pending',
      subscriptionReference: wire.subscription,
      invoiceReference: wire.invoice,
      occurredAt: wire.created,
    }
  );
}

/** A payment that waits for another card after a failed one is pending, as is one that was never tried. */
function paymentStatus(status: string): Status {
  if (status === 'succeeded') return 'succeeded';
  return status === 'canceled' ? 'failed' : 'pending';
}
