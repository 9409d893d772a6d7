import type Stripe from 'stripe';
import type {
  PaymentFacts,
  ReferenceKind,
  RefundFacts,
  SettlementFacts,
  SubscriptionFacts,
} from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { asking } from './asking';
import { clientFor } from './client';
import { readMoney } from './money';
import { planReferences } from './plan-references';
import {
  chargeFacts,
  checkoutFacts,
  invoiceFacts,
  paymentIntentFacts,
  subscriptionOfInvoice,
} from './payment-facts';
import { refundFacts } from './refund-facts';
import { subscriptionFacts } from './subscription-facts';
import { balanceTransactionWire, invoiceWire, payoutWire } from './wire';

const PAGE = 100;

export function fetchSubscription(
  access: ConnectionAccess,
  reference: string,
): Promise<Outcome<SubscriptionFacts>> {
  const tracked = new Set(planReferences(access).map(([, price]) => price));
  return asking(async () =>
    subscriptionFacts(await clientFor(access).subscriptions.retrieve(reference), tracked),
  );
}

/** @param kind `payment`, `charge`, `invoice` or `checkout`; the provider has no other payments */
export function fetchPayment(
  access: ConnectionAccess,
  kind: ReferenceKind,
  reference: string,
): Promise<Outcome<PaymentFacts>> {
  switch (kind) {
    case 'payment':
      return asking(() => paymentWithInvoice(clientFor(access), reference));
    case 'charge':
      return asking(async () => chargeFacts(await clientFor(access).charges.retrieve(reference)));
    case 'invoice':
      return asking(async () =>
        invoiceFacts(await clientFor(access).invoices.retrieve(reference, { expand: ['payments'] })),
      );
    case 'checkout':
      return asking(async () => checkoutFacts(await clientFor(access).checkout.sessions.retrieve(reference)));
    default:
      return Promise.resolve({
        kind: 'unsupported',
        reason: `Provider A has no payment of the kind ${kind}.`,
      });
  }
}

export function fetchRefund(access: ConnectionAccess, reference: string): Promise<Outcome<RefundFacts>> {
  return asking(async () => refundFacts(await clientFor(access).refunds.retrieve(reference)));
}

/** A payout, with its fees and its period from the balance transactions that it brought. */
export function fetchSettlement(
  access: ConnectionAccess,
  reference: string,
): Promise<Outcome<SettlementFacts>> {
  return asking(async () => {
    const client = clientFor(access);
    const payout = payoutWire.parse(await client.payouts.retrieve(reference));
    const lines = await balanceLines(client, reference);
    const amount = readMoney(payout.amount, payout.currency);
    const fees = readMoney(
      lines.reduce((sum, { fee }) => sum + fee, 0),
      payout.currency,
    );
    if (amount === undefined || fees === undefined) return undefined;
    const times = lines.flatMap(({ created }) => (created === null ? [] : [created]));
    return {
      reference: payout.id,
      ...amount,
      fees: fees.amount,
      periodStart: times.length === 0 ? null : Math.min(...times),
      periodEnd: times.length === 0 ? null : Math.max(...times),
    };
  });
}

/** A payment does not say which invoice it pays, nor so which subscription it is for: the invoice's payments do. */
async function paymentWithInvoice(client: Stripe, reference: string): Promise<PaymentFacts | undefined> {
  const facts = paymentIntentFacts(await client.paymentIntents.retrieve(reference));
  const { data } = await client.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: reference },
    expand: ['data.invoice'],
    limit: 1,
  });
  const [paid] = data;
  if (facts === undefined || paid === undefined) return facts;
  const invoice = invoiceWire.parse(paid.invoice);
  return { ...facts, invoiceReference: invoice.id, subscriptionReference: subscriptionOfInvoice(invoice) };
}

/** All lines but the payout's own. */
async function balanceLines(client: Stripe, payout: string) {
  const lines = [];
  for await (const line of client.balanceTransactions.list({ payout, limit: PAGE })) {
    const wire = balanceTransactionWire.parse(line);
    if (wire.type !== 'payout') lines.push(wire);
  }
  return lines;
}
