import type Stripe from 'stripe';
import { z } from 'zod';
import { readPages } from './read-pages';
import { invoicePaymentWire, itemWire, subscriptionWire, type invoiceWire } from './schemas';

type Subscription = z.output<typeof subscriptionWire>;
type Invoice = z.output<typeof invoiceWire>;

const id = z.string().min(1);
const listedItem = itemWire.extend({ id });
const listedPayment = invoicePaymentWire.extend({ id });

/**
 * Parses a subscription with all its items, of which it may have twenty. Of a list inside another object, the provider
 * sends the first page only, which may lack the item of our plan, or a second one that may be ours.
 */
export async function wholeSubscription(client: Stripe, answer: unknown): Promise<Subscription> {
  const wire = subscriptionWire.parse(answer);
  if (wire.items.has_more !== true) return wire;
  const data = await readPages(
    (paging) => client.subscriptionItems.list({ subscription: wire.id, ...paging }),
    listedItem,
  );
  return { ...wire, items: { ...wire.items, data, has_more: false } };
}

/** Returns an invoice with all its payments, if it was requested with them. */
export async function wholeInvoice(client: Stripe, invoice: Invoice): Promise<Invoice> {
  const { id: reference, payments } = invoice;
  if (payments?.has_more !== true) return invoice;
  const data = await readPages(
    (paging) =>
      client.invoicePayments.list({
        invoice: reference,
        expand: ['data.payment.payment_intent'],
        ...paging,
      }),
    listedPayment,
  );
  return { ...invoice, payments: { ...payments, data, has_more: false } };
}
