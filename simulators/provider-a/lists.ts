import { z } from 'zod';
import type { Account } from './account';
import { expand, paging, text, whole } from './parameters';
import type { CollectionMethod, Invoice, Subscription } from './billing-records';
import type { Charge, Dispute } from './payment-records';

/** A range of creation times: whole seconds. */
export const instants = z.strictObject({
  gt: whole.optional(),
  gte: whole.optional(),
  lt: whole.optional(),
  lte: whole.optional(),
});

export const invoiceListParameters = z.strictObject({
  collection_method: z.enum(['charge_automatically', 'send_invoice']).optional(),
  created: instants.optional(),
  customer: text.optional(),
  expand,
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
  subscription: text.optional(),
  ...paging,
});

export const subscriptionListParameters = z.strictObject({
  collection_method: z.enum(['charge_automatically', 'send_invoice']).optional(),
  created: instants.optional(),
  current_period_end: instants.optional(),
  current_period_start: instants.optional(),
  customer: text.optional(),
  expand,
  price: text.optional(),
  status: z
    .enum([
      'active',
      'all',
      'canceled',
      'ended',
      'incomplete',
      'incomplete_expired',
      'past_due',
      'paused',
      'trialing',
      'unpaid',
    ])
    .optional(),
  ...paging,
});

export const chargeListParameters = z.strictObject({
  created: instants.optional(),
  customer: text.optional(),
  expand,
  payment_intent: text.optional(),
  ...paging,
});

export const disputeListParameters = z.strictObject({
  charge: text.optional(),
  created: instants.optional(),
  expand,
  payment_intent: text.optional(),
  ...paging,
});

/** Returns whether an instant lies in a requested range. */
export function isWithin(at: number, range: z.output<typeof instants> | undefined): boolean {
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range ?? {};
  return at > gt && at >= gte && at < lt && at <= lte;
}

/** Handles `GET /v1/invoices`: newest first. @throws Problem for a customer or a subscription that does not exist */
export function listInvoices(account: Account, wanted: z.output<typeof invoiceListParameters>): Invoice[] {
  const { created, customer, status, subscription, collection_method: method } = wanted;
  if (customer !== undefined) account.get('customer', customer, 'customer');
  if (subscription !== undefined) account.get('subscription', subscription, 'subscription');
  return account
    .all('invoice')
    .filter((invoice) => isWithin(invoice.created, created))
    .filter((invoice) => customer === undefined || invoice.customer === customer)
    .filter((invoice) => status === undefined || invoice.status === status)
    .filter((invoice) => isCollectedBy(invoice, method))
    .filter(
      ({ parent }) => subscription === undefined || parent.subscription_details.subscription === subscription,
    )
    .reverse();
}

/**
 * Handles `GET /v1/subscriptions`: newest first, and without a status all that are not canceled. A period is compared
 * with each item's.
 *
 * @throws Problem for a customer or a price that does not exist
 */
export function listSubscriptions(
  account: Account,
  wanted: z.output<typeof subscriptionListParameters>,
): Subscription[] {
  const { created, customer, price, status, collection_method: method } = wanted;
  const { current_period_start: starts, current_period_end: ends } = wanted;
  if (customer !== undefined) account.get('customer', customer, 'customer');
  if (price !== undefined) account.get('price', price, 'price');
  return account
    .all('subscription')
    .filter((subscription) => hasStatus(subscription, status))
    .filter((subscription) => isCollectedBy(subscription, method))
    .filter((subscription) => isWithin(subscription.created, created))
    .filter((subscription) => customer === undefined || subscription.customer === customer)
    .filter(({ items }) => price === undefined || items.data.some((item) => item.price.id === price))
    .filter(({ items }) => items.data.some((item) => isWithin(item.current_period_start, starts)))
    .filter(({ items }) => items.data.some((item) => isWithin(item.current_period_end, ends)))
    .reverse();
}

function isCollectedBy(
  { collection_method: method = 'charge_automatically' }: Pick<Invoice, 'collection_method'>,
  wanted: CollectionMethod | undefined,
): boolean {
  return wanted === undefined || method === wanted;
}

/** `ended` includes canceled subscriptions and those that never started. */
function hasStatus(
  { status }: Subscription,
  wanted: z.output<typeof subscriptionListParameters>['status'],
): boolean {
  if (wanted === undefined) return status !== 'canceled';
  if (wanted === 'ended') return status === 'canceled' || status === 'incomplete_expired';
  return wanted === 'all' || status === wanted;
}

/** Handles `GET /v1/charges`: newest first. @throws Problem for a customer that does not exist */
export function listCharges(account: Account, wanted: z.output<typeof chargeListParameters>): Charge[] {
  const { created, customer, payment_intent: intent } = wanted;
  if (customer !== undefined) account.get('customer', customer, 'customer');
  return account
    .all('charge')
    .filter((charge) => isWithin(charge.created, created))
    .filter((charge) => customer === undefined || charge.customer === customer)
    .filter((charge) => intent === undefined || charge.payment_intent === intent)
    .reverse();
}

/** Handles `GET /v1/disputes`: newest first. */
export function listDisputes(account: Account, wanted: z.output<typeof disputeListParameters>): Dispute[] {
  const { charge, created, payment_intent: intent } = wanted;
  return account
    .all('dispute')
    .filter((dispute) => isWithin(dispute.created, created))
    .filter((dispute) => charge === undefined || dispute.charge === charge)
    .filter((dispute) => intent === undefined || dispute.payment_intent === intent)
    .reverse();
}
