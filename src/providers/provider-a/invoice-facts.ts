import type { z } from 'zod';
import type { PaymentFacts } from '../canonical-event';
import { readMoney } from './amounts';
import { invoiceWire } from './schemas';

type Invoice = z.output<typeof invoiceWire>;
type InvoicePayment = NonNullable<Invoice['payments']>['data'][number];
type Part = Pick<InvoicePayment, 'status_transitions'>;

/** Translates an invoice into the service's terms. Undefined if we do not support its currency. */
export function invoiceFacts(object: unknown): PaymentFacts | undefined {
  return factsOfInvoice(invoiceWire.parse(object));
}

/** The payment of the invoice: the one that is still due, or of several that each paid a part, the first. */
export function factsOfInvoice(wire: Invoice): PaymentFacts | undefined {
  return factsOfPart(wire, chosenPayment(wire));
}

/**
 * Translates all payments of an invoice: each part that was paid, and what is still due. Undefined if we do not support
 * its currency.
 */
export function factsOfParts(wire: Invoice): PaymentFacts[] | undefined {
  const first = factsOfInvoice(wire);
  const chosen = chosenPayment(wire);
  const others = wire.payments?.data.filter((one) => one !== chosen && isPaidPart(one)) ?? [];
  if (first === undefined) return undefined;
  const parts = [
    ...others.flatMap((one) => factsOfPart(wire, one) ?? []),
    ...partsPaidElsewhere(wire, chosen),
  ];
  return first.status === 'succeeded' ? [first, ...parts] : [...parts, first];
}

/** A payment has its own amount, of which a part may have paid another invoice, or be left over. */
function factsOfPart(wire: Invoice, part: InvoicePayment | undefined): PaymentFacts | undefined {
  const amountOfPart = part && isPaidPart(part) ? (part.payment?.received ?? part.amount_paid) : null;
  const paid = wire.status === 'paid' || amountOfPart !== null;
  const payment = part?.payment?.payment_intent ?? wire.payment_intent;
  // The invoice has the total of its parts.
  const amount = paid ? (amountOfPart ?? wire.amount_paid) : wire.amount_due - wire.amount_paid;
  const money = readMoney(amount, wire.currency);
  return (
    money && {
      reference: payment ?? wire.id,
      kind: payment === null ? 'invoice' : 'payment',
      ...money,
      status: paid ? 'succeeded' : 'pending',
      subscriptionReference: subscriptionOfInvoice(wire),
      invoiceReference: wire.id,
      occurredAt: wire.created,
      ...(paid && paidAtOf(wire, part)),
    }
  );
}

/**
 * Returns the parts of an invoice that its merchant has recorded as paid outside of the provider, if the provider has
 * collected the rest. Otherwise the invoice itself is their one payment, once it is paid.
 */
function partsPaidElsewhere(wire: Invoice, chosen: InvoicePayment | undefined): PaymentFacts[] {
  if (wire.status !== 'paid' || chosen === undefined || !isPaidPart(chosen)) return [];
  return (wire.payments?.data ?? []).flatMap((part) => {
    const { status, payment, amount_paid: amount } = part;
    const record = payment?.payment_record ?? null;
    if (status !== 'paid' || record === null || typeof amount !== 'number') return [];
    const money = readMoney(amount, wire.currency);
    const facts = factsOfPart(wire, part);
    return money && facts ? [{ ...facts, ...money, kind: 'payment', reference: record }] : [];
  });
}

/** Returns when an invoice, or a part of it, was paid: days after it was made if a charge has failed before. */
function paidAtOf(
  { status_transitions: ofInvoice }: Invoice,
  part: Part | undefined,
): Pick<PaymentFacts, 'paidAt'> {
  const paidAt = part?.status_transitions?.paid_at ?? ofInvoice?.paid_at ?? null;
  return paidAt === null ? {} : { paidAt };
}

/**
 * Adds the invoice that a payment pays. Its times apply, so that they are the same as in the facts of the invoice: a
 * renewal's invoice is made an hour before its payment.
 */
export function withInvoice(facts: PaymentFacts, invoice: Invoice, part: Part): PaymentFacts {
  return {
    ...facts,
    invoiceReference: invoice.id,
    subscriptionReference: subscriptionOfInvoice(invoice),
    occurredAt: invoice.created ?? facts.occurredAt,
    ...(facts.status === 'succeeded' && paidAtOf(invoice, part)),
  };
}

/**
 * Whether an invoice charges for a change of its subscription. A refused change leaves such an invoice behind, unpaid,
 * and the subscription unchanged (`isOfRefusedChange`).
 */
export function isOfChange(invoice: object): boolean {
  return 'billing_reason' in invoice && invoice.billing_reason === 'subscription_update';
}

/** Reasons for which an invoice is uncollectible because the merchant does not want its money. */
const FORGIVEN: ReadonlySet<unknown> = new Set(['subscription_paused', 'user_forgiven']);

/** Whether an invoice is uncollectible because nothing is owed for it. */
export function isForgiven({
  status,
  status_details: details,
}: Pick<Invoice, 'status' | 'status_details'>): boolean {
  return status === 'uncollectible' && FORGIVEN.has(details?.uncollectible?.reason);
}

export function subscriptionOfInvoice(wire: Invoice): string | null {
  return wire.parent?.subscription_details?.subscription ?? wire.subscription;
}

/** Returns the payment that paid the invoice, or the one that will; null if the answer does not contain it. */
export function paymentOfInvoice(wire: Invoice): string | null {
  return chosenPayment(wire)?.payment?.payment_intent ?? wire.payment_intent;
}

function chosenPayment({ status: ofInvoice, payments }: Invoice): InvoicePayment | undefined {
  const all = payments?.data ?? [];
  const paid = all.find(isPaidPart) ?? all.find(({ status }) => status === 'paid');
  // A cancelled one pays nothing: the invoice is void, or was paid outside of the provider.
  const due = all.find(
    ({ is_default: own, status }) => own === true && status !== 'canceled' && status !== 'paid',
  );
  return ofInvoice === 'paid' ? (paid ?? due) : (due ?? paid);
}

function isPaidPart({ status, payment, amount_paid: amount }: InvoicePayment): boolean {
  return status === 'paid' && typeof payment?.payment_intent === 'string' && typeof amount === 'number';
}
