import type { Instant } from '../../domain/instant';
import type { CollectedPayment } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Fetched } from './client';
import { collectedOf } from './fetch-collected';
import { planCodeOf } from './payment-origin';
import { isPaid } from './values';
import { paymentFacts } from './payment-facts';
import { readPages } from './read-pages';
import { readSubscription } from './fetch-subscription';
import { listedSubscription, purchase, type PurchaseData, type SubscriptionData } from './schemas';

/** Refunds are read for this many of the latest payments only. */
const PAYMENTS_WITH_REFUNDS = 10;

/**
 * Lists the customer's payments for the subscription's plan, earliest first. No payment names its subscription. If the
 * customer has only this subscription of the plan, all payments belong to it. Otherwise only the last invoice's payment
 * does, and the others stay unassigned.
 */
export async function listPayments(
  access: ConnectionAccess,
  code: string,
  since: Instant,
): Promise<Fetched<CollectedPayment[]>> {
  const read = await readSubscription(access, code);
  if (read.kind !== 'done') return read;
  const { customer, plan } = read.value;
  if (customer.id === undefined) {
    return { kind: 'unknown', reason: `Provider C does not report the number of the customer of ${code}.` };
  }
  const filter = { customer: String(customer.id), from: new Date(since).toISOString() };
  const listed = await readPages(access, '/transaction', filter, purchase);
  if (listed.kind !== 'done') return listed;
  const isOnly = await isOnlyOfPlan(access, read.value);
  if (isOnly.kind !== 'done') return isOnly;
  const paid = listed.value
    .filter((one) => isPaidFor(one, plan.plan_code, customer.customer_code))
    .sort((a, b) => a.id - b.id);
  const collected: CollectedPayment[] = [];
  for (const [index, one] of paid.entries()) {
    const invoice = invoiceOf(read.value, one);
    const found = await collectedOf(access, one, {
      subscription: isOnly.value || invoice !== null ? code : null,
      invoice,
      refunds: paid.length - index <= PAYMENTS_WITH_REFUNDS,
    });
    if (found.kind !== 'done') return found;
    collected.push(found.value);
  }
  return { kind: 'done', value: collected };
}

/** The provider may not honor the list's filters. */
function isPaidFor(one: PurchaseData, planCode: string, customerCode: string): boolean {
  const payment = paymentFacts(one);
  const isOurs = planCodeOf(one) === planCode && one.customer.customer_code === customerCode;
  return isOurs && payment.kind === 'done' && payment.value.status === 'succeeded';
}

async function isOnlyOfPlan(
  access: ConnectionAccess,
  { customer, plan, subscription_code: code }: SubscriptionData,
): Promise<Fetched<boolean>> {
  if (plan.id === undefined) return { kind: 'done', value: false };
  const filter = { customer: String(customer.id), plan: String(plan.id) };
  const listed = await readPages(access, '/subscription', filter, listedSubscription);
  if (listed.kind !== 'done') return listed;
  const others = listed.value.filter(
    (one) =>
      one.subscription_code !== code &&
      one.plan.plan_code === plan.plan_code &&
      one.customer.customer_code === customer.customer_code,
  );
  return { kind: 'done', value: others.length === 0 };
}

/** Returns the last invoice if it names this payment. */
function invoiceOf({ most_recent_invoice: invoice }: SubscriptionData, { id }: PurchaseData): string | null {
  if (!invoice || invoice.status === undefined || !('paid' in invoice) || !isPaid(invoice.paid)) return null;
  return invoice.transaction === id && typeof invoice.invoice_code === 'string' ? invoice.invoice_code : null;
}
