import { namedCall } from '../core/named-call';
import { newCode, newToken, type Account } from './account';
import { nextCharge } from './intervals';
import type { Authorization, Customer, Invoice, Plan, Subscription } from './records';
import { chargeAuthorization, succeed } from './transactions';
import { sendCreated, sendDisabled, sendInvoice } from './webhooks';
import { DAY_MS } from '../../src/domain/instant';

/** Time between the creation of an invoice and its charge. */
const INVOICE_AHEAD_MS = 3 * DAY_MS;

const announceCharge = namedCall('c.announce_charge', (account: Account, subscription: Subscription) => {
  if (!isRenewing(subscription)) return;
  subscription.openInvoice = openInvoice(account, subscription);
  sendInvoice(account, 'invoice.create', subscription, subscription.openInvoice);
});
const meetLater = namedCall('c.boundary', meetBoundary);

export interface NewSubscription {
  plan: Plan;
  customer: Customer;
  authorization: Authorization;
  invoiceLimit: number;
  /** When to charge first; absent if the first charge was made. */
  firstChargeAt?: number;
}

/** Starts a subscription whose first charge the caller made or scheduled. */
export function startSubscription(account: Account, start: NewSubscription): Subscription {
  const { plan, customer, authorization, invoiceLimit, firstChargeAt } = start;
  const { now } = account;
  const subscription: Subscription = {
    id: account.nextId(),
    code: newCode('SUB'),
    emailToken: newToken(),
    status: 'active',
    plan,
    customer,
    authorization,
    boundary: firstChargeAt ?? nextCharge(now, plan.interval),
    invoiceLimit,
    charges: firstChargeAt === undefined ? 1 : 0,
    openInvoice: null,
    lastInvoice: null,
    createdAt: now,
  };
  account.subscriptions.set(subscription.code, subscription);
  sendCreated(account, subscription);
  if (isComplete(subscription)) complete(account, subscription);
  else waitForBoundary(account, subscription);
  return subscription;
}

/** Schedules the invoice, three days ahead if the interval is longer than that, and the period's end. */
function waitForBoundary(account: Account, subscription: Subscription): void {
  const { clock } = account.core;
  const { boundary } = subscription;
  const invoiceAt = boundary - INVOICE_AHEAD_MS;
  if (invoiceAt > account.now) {
    clock.at(invoiceAt, announceCharge(account, subscription));
  }
  clock.at(boundary, meetLater(account, subscription));
}

function meetBoundary(account: Account, subscription: Subscription): void {
  if (isRenewing(subscription)) renew(account, subscription);
  else if (subscription.status === 'non-renewing') {
    subscription.status = 'cancelled';
    sendDisabled(account, subscription);
  }
}

/** Charges once, without a retry if it fails; the next charge is due an interval later, even if this one is pending. */
function renew(account: Account, subscription: Subscription): void {
  const { openInvoice: open } = subscription;
  const announced = open?.transaction === null ? open : null;
  const invoice = announced ?? openInvoice(account, subscription);
  const transaction = chargeAuthorization(account, {
    email: subscription.customer.email,
    plan: subscription.plan,
    authorization: subscription.authorization,
  });
  subscription.boundary = nextCharge(subscription.boundary, subscription.plan.interval);
  subscription.lastInvoice = invoice;
  subscription.openInvoice = invoice;
  invoice.transaction = transaction;
  if (transaction?.status !== 'pending') conclude(account, subscription, invoice, announced !== null);
  else if (announced === null) sendInvoice(account, 'invoice.create', subscription, invoice);
  if (subscription.status !== 'completed') waitForBoundary(account, subscription);
}

/** Has the bank answer a subscription's pending charge, if it has one. */
export function settleCharge(account: Account, subscription: Subscription, isPaid: boolean): void {
  const { lastInvoice: invoice, authorization } = subscription;
  if (invoice?.transaction?.status !== 'pending') return;
  if (isPaid) succeed(account, invoice.transaction, authorization);
  else invoice.transaction.status = 'failed';
  conclude(account, subscription, invoice, true);
}

function conclude(
  account: Account,
  subscription: Subscription,
  invoice: Invoice,
  isAnnounced: boolean,
): void {
  const isPaid = invoice.transaction?.status === 'success';
  if (isRenewing(subscription)) subscription.status = isPaid ? 'active' : 'attention';
  if (isPaid) {
    invoice.status = 'success';
    invoice.paidAt = account.now;
    subscription.charges += 1;
    if (!isAnnounced) sendInvoice(account, 'invoice.create', subscription, invoice);
  } else {
    invoice.status = 'failed';
    sendInvoice(account, 'invoice.payment_failed', subscription, invoice);
  }
  sendInvoice(account, 'invoice.update', subscription, invoice);
  if (subscription.openInvoice === invoice) subscription.openInvoice = null;
  if (isComplete(subscription)) complete(account, subscription);
}

function openInvoice(account: Account, { plan, boundary }: Subscription): Invoice {
  return {
    id: account.nextId(),
    code: newCode('INV'),
    amount: plan.amount,
    status: 'pending',
    periodStart: boundary,
    periodEnd: nextCharge(boundary, plan.interval),
    paidAt: null,
    transaction: null,
    createdAt: account.now,
  };
}

function complete(account: Account, subscription: Subscription): void {
  subscription.status = 'completed';
  sendDisabled(account, subscription);
}

function isComplete({ invoiceLimit, charges }: Subscription): boolean {
  return invoiceLimit > 0 && charges >= invoiceLimit;
}

export function isRenewing({ status }: Subscription): boolean {
  return status === 'active' || status === 'attention';
}
