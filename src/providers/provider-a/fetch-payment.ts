import type Stripe from 'stripe';
import { z } from 'zod';
import type { PaymentFacts, ReferenceKind } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { clientFor } from './client';
import { wholeInvoice } from './embedded-lists';
import { readOutcome } from './outcomes';
import { factsOfInvoice, withInvoice } from './invoice-facts';
import { chargeFacts, checkoutFacts, paymentIntentFacts } from './payment-facts';
import { isOfRefusedChange } from './invoice-of-refused-change';
import { invoiceWire, paidAtWire } from './schemas';

const invoicePaymentsWire = z.looseObject({
  data: z.array(z.looseObject({ invoice: invoiceWire, status_transitions: paidAtWire })),
});

/** @param kind `payment`, `charge`, `invoice` or `checkout`; the provider has no other payments */
export function fetchPayment(
  access: ConnectionAccess,
  kind: ReferenceKind,
  reference: string,
): Promise<Outcome<PaymentFacts>> {
  switch (kind) {
    case 'payment':
      return readOutcome(() => paymentWithInvoice(clientFor(access), reference));
    case 'charge':
      return readOutcome(async () => chargeFacts(await clientFor(access).charges.retrieve(reference)));
    case 'invoice':
      return readOutcome(() => paymentOfInvoice(clientFor(access), reference));
    case 'checkout':
      return readOutcome(async () =>
        checkoutFacts(await clientFor(access).checkout.sessions.retrieve(reference)),
      );
    default:
      return Promise.resolve({
        kind: 'unsupported',
        reason: `Provider A has no payment of the kind ${kind}.`,
      });
  }
}

async function paymentOfInvoice(client: Stripe, reference: string): Promise<PaymentFacts | undefined> {
  const answer = await client.invoices.retrieve(reference, {
    expand: ['payments.data.payment.payment_intent'],
  });
  const invoice = await wholeInvoice(client, invoiceWire.parse(answer));
  return withoutRefusedChange(client, invoice, factsOfInvoice(invoice));
}

/** Returns a payment of zero if it was to pay for a refused change. */
async function withoutRefusedChange(
  client: Stripe,
  invoice: z.output<typeof invoiceWire>,
  facts: PaymentFacts | undefined,
): Promise<PaymentFacts | undefined> {
  if (facts === undefined || facts.status === 'succeeded') return facts;
  return (await isOfRefusedChange(client, invoice)) ? { ...facts, amount: 0n } : facts;
}

/**
 * Fetches a payment with its invoice and subscription, which only the invoice's payments name. One that was to pay for
 * a refused change is a payment of zero. If its invoice was paid otherwise, that payment is returned: a webhook about a
 * failed attempt may come after it.
 */
export async function paymentWithInvoice(
  client: Stripe,
  reference: string,
): Promise<PaymentFacts | undefined> {
  const facts = paymentIntentFacts(await client.paymentIntents.retrieve(reference));
  const { data } = invoicePaymentsWire.parse(
    await client.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: reference },
      expand: ['data.invoice'],
      limit: 1,
    }),
  );
  const [paid] = data;
  if (facts === undefined || paid === undefined) return facts;
  const { invoice } = paid;
  // Another payment has paid it since, or it was paid outside of the provider.
  if (facts.status !== 'succeeded' && invoice.status === 'paid') return paymentOfInvoice(client, invoice.id);
  return withoutRefusedChange(client, invoice, withInvoice(facts, invoice, paid));
}
