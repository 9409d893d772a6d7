import type Stripe from 'stripe';
import type { z } from 'zod';
import type { Instant } from '../../domain/instant';
import type { CollectedPayment, PaymentFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { clientFor } from './client';
import { wholeInvoice } from './embedded-lists';
import { referencesOf } from './event-references';
import { listRefunds } from './fetch-refund';
import { disputesOf } from './list-disputes';
import { readOutcome } from './outcomes';
import { factsOfParts, isForgiven } from './invoice-facts';
import { readPages } from './read-pages';
import { isOfRefusedChange } from './invoice-of-refused-change';
import { factsOfCharge } from './payment-facts';
import { factsOfRefund } from './refund-facts';
import { invoiceWire, refundedChargeWire } from './schemas';

type Invoice = z.output<typeof invoiceWire>;
type Charge = z.output<typeof refundedChargeWire>;

/**
 * Lists the charged invoices of a subscription, prorations included, with their charges and refunds. Reads two lists,
 * and one more for each charge with a dispute or more than a page of refunds.
 */
export function listPayments(
  access: ConnectionAccess,
  subscription: string,
  since: Instant,
): Promise<Outcome<CollectedPayment[]>> {
  return readOutcome(async () => {
    const client = clientFor(access);
    const created = { gte: Math.floor(since / 1000) };
    const invoices = await readPages(
      (paging) => client.invoices.list({ subscription, created, expand: ['data.payments'], ...paging }),
      invoiceWire,
    );
    const customer = invoices.find((invoice) => invoice.customer !== null)?.customer ?? null;
    const charges =
      customer === null
        ? []
        : await readPages(
            (paging) => client.charges.list({ customer, created, expand: ['data.refunds'], ...paging }),
            refundedChargeWire,
          );
    const collected: CollectedPayment[] = [];
    for (const listed of invoices.reverse()) {
      const invoice = await wholeInvoice(client, listed);
      const parts = await partsOf(client, invoice);
      if (parts === undefined) return undefined;
      // The invoice's own references are those of one payment only, which may be one that is not due yet.
      const isWhole = parts.length === 1;
      const references = referencesOf({ object: 'invoice', ...invoice }).filter(
        ({ kind }) => isWhole || kind === 'subscription' || kind === 'customer',
      );
      const payments = parts.flatMap((facts) =>
        facts.status === 'succeeded' ? [facts] : dueFor(invoice, facts, charges),
      );
      for (const payment of payments) collected.push(await collectedOf(client, payment, references, charges));
    }
    return collected;
  });
}

/** Returns each part that was paid, and what is left to pay. Undefined if we do not support the currency. */
async function partsOf(client: Stripe, invoice: Invoice): Promise<PaymentFacts[] | undefined> {
  if (invoice.status !== 'paid' && (await isOfRefusedChange(client, invoice))) return [];
  return factsOfParts(invoice);
}

/**
 * Returns nothing before the first attempt to collect, and a charge of zero if nothing is owed: the merchant has voided
 * or forgiven the invoice, does not collect while payments are paused, or has sent it to be paid later. When its due
 * date passes, the subscription becomes past due. An attempt has not failed while a bank has not answered it, which may
 * take days.
 */
function dueFor(invoice: Invoice, facts: PaymentFacts, charges: readonly Charge[]): PaymentFacts[] {
  const { status, attempted, collection_method: method } = invoice;
  const isDueLater = status === 'open' && method === 'send_invoice';
  if (status === 'void' || isForgiven(invoice) || isDueLater)
    return [{ ...facts, amount: 0n, status: 'succeeded' }];
  const isUnpaid = status === 'open' || status === 'uncollectible';
  if (!isUnpaid || attempted !== true) return [];
  const isAwaited = charges.some(
    ({ payment_intent: intent, status: ofCharge }) => intent === facts.reference && ofCharge === 'pending',
  );
  return [{ ...facts, status: isAwaited ? 'pending' : 'failed' }];
}

async function collectedOf(
  client: Stripe,
  payment: PaymentFacts,
  ofInvoice: CollectedPayment['references'],
  charges: readonly Charge[],
): Promise<CollectedPayment> {
  const charge = charges.find(
    ({ payment_intent: intent, status }) =>
      payment.kind === 'payment' && intent === payment.reference && status === 'succeeded',
  );
  if (charge === undefined) return { payment, references: ofInvoice, refunds: [], disputes: [] };
  const references = [...ofInvoice, { kind: 'charge' as const, reference: charge.id }];
  // The invoice states what it took of the charge, which may have paid another one, too.
  const amount = factsOfCharge(charge)?.amount ?? payment.amount;
  return { payment: { ...payment, amount }, references, ...(await refundsAndDisputesOf(client, charge)) };
}

/**
 * Returns the refunds and disputes of a charge, earliest first. A refund that the bank has sent back is one of them,
 * although the charge no longer counts its amount.
 */
export async function refundsAndDisputesOf(
  client: Stripe,
  { id: charge, refunds: listed, disputed }: Charge,
): Promise<Pick<CollectedPayment, 'refunds' | 'disputes'>> {
  const refunds = listed === null || listed.has_more ? await listRefunds(client, { charge }) : listed.data;
  const disputes = disputed === true ? await disputesOf(client, { charge }) : [];
  return {
    refunds: refunds.toReversed().flatMap((refund) => factsOfRefund(refund) ?? []),
    disputes,
  };
}
