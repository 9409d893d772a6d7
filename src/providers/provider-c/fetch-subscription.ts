import type { PriceAtProvider } from '../../domain/plan-price-comparison';
import type { RenewalInvoice } from '../../domain/renewal-invoice';
import type { SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import { readOutcome, type Fetched } from './client';
import { subscriptionFacts } from './subscription-facts';
import type { BilledSubscriptionFacts } from '../provider-adapter';
import { priceFacts } from './fetch-plan-price';
import { instantOf, isFailedInvoice, isPaid } from './values';
import { subscriptionAnswer, type SubscriptionData } from './schemas';

/** @param code the subscription's own code (`SUB_…`), never a plan's or a customer's */
export async function fetchSubscription(
  access: ConnectionAccess,
  code: string,
): Promise<Fetched<SubscriptionFacts>> {
  const answer = await readSubscription(access, code);
  if (answer.kind !== 'done') return answer;
  return factsOf(answer.value);
}

/** Fetches a subscription with the price it is charged, which may differ from its plan's current price. */
export async function fetchBilledSubscription(
  access: ConnectionAccess,
  code: string,
): Promise<Fetched<BilledSubscriptionFacts>> {
  const answer = await readSubscription(access, code);
  if (answer.kind !== 'done') return answer;
  const facts = factsOf(answer.value);
  if (facts.kind !== 'done') return facts;
  return { kind: 'done', value: { facts: facts.value, billing: { price: priceOf(answer.value) } } };
}

function priceOf({ plan, amount }: SubscriptionData): PriceAtProvider {
  return priceFacts({ ...plan, amount: amount ?? plan.amount });
}

/** Translates the provider's subscription, without its e-mail token. */
export function factsOf(data: SubscriptionData): Fetched<SubscriptionFacts> {
  const facts = translate(data);
  if (facts !== undefined) return { kind: 'done', value: facts };
  return {
    kind: 'unknown',
    reason: `Provider C names a status of ${data.subscription_code} that is not known: ${data.status}.`,
  };
}

/**
 * Returns the values that distinguish a subscription's states. Not every answer has `updatedAt`; `cancelledAt` then tells
 * one cancellation from a later one.
 */
export async function subscriptionStateNow(
  access: ConnectionAccess,
  code: string,
): Promise<Fetched<unknown>> {
  const answer = await readSubscription(access, code);
  if (answer.kind !== 'done') return answer;
  const { status, next_payment_date, updatedAt, cancelledAt } = answer.value;
  const state = [status, next_payment_date ?? null, updatedAt ?? null];
  return { kind: 'done', value: cancelledAt ? [...state, cancelledAt] : state };
}

/** Reads a subscription in the provider's format, including the e-mail token that stops and starts the renewal. */
export async function readSubscription(
  access: ConnectionAccess,
  code: string,
): Promise<Fetched<SubscriptionData>> {
  const answer = await readOutcome(access, `/subscription/${encodeURIComponent(code)}`, subscriptionAnswer);
  if (answer.kind !== 'done') return answer;
  const { data } = answer.value;
  if (data.subscription_code !== code) {
    return { kind: 'unknown', reason: `Provider C answered with another subscription than ${code}.` };
  }
  return { kind: 'done', value: data };
}

function translate(data: SubscriptionData): SubscriptionFacts | undefined {
  const invoice = data.most_recent_invoice;
  const isLastPaid = invoice?.status === 'success' && isPaid(invoice.paid);
  return subscriptionFacts({
    code: data.subscription_code,
    status: data.status,
    nextPaymentDate: instantOf(data.next_payment_date),
    createdAt: instantOf(data.createdAt),
    hasInvoice: invoice?.status !== undefined,
    lastPeriodStart: isLastPaid ? instantOf(invoice.period_start) : null,
    lastChargeFailed: isFailedInvoice(invoice?.status),
    lastInvoice: invoiceOf(data),
    planCode: data.plan.plan_code,
    customerCode: data.customer.customer_code,
    quantity: data.quantity ?? null,
    unitAmount: priceOf(data).amount,
  });
}

/**
 * A bank may take days to answer a charge; until then the invoice is pending and the subscription active, in the new
 * period. So is the invoice that announces the next charge, three days ahead: it is charged when its period begins.
 */
function invoiceOf({ most_recent_invoice: invoice }: SubscriptionData): RenewalInvoice | null {
  if (!invoice || invoice.status === undefined || typeof invoice.invoice_code !== 'string') return null;
  const isOutstanding = invoice.status === 'pending';
  const chargedAt = isOutstanding ? instantOf(invoice.period_start) : null;
  return { reference: invoice.invoice_code, isOutstanding, chargedAt };
}
