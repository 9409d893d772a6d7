import { calendarPeriodAt, calendarPeriodContaining } from '../../src/domain/period';
import { namedCall } from '../core/named-call';
import type { Account } from './account';
import { emit } from './events';
import {
  cancelPayments,
  createInvoice,
  finalizeInvoice,
  fullLines,
  keepDraft,
  markPaid,
  payInvoice,
  payTogether,
} from './invoices';
import { refused } from './problem';
import type { Invoice, Price, Subscription, SubscriptionItem } from './billing-records';

const DAY_S = 86_400;
const HOUR_S = 3_600;
/** Days between attempts to collect an unpaid invoice; after the last one the subscription ends. */
const RETRY_AFTER_DAYS = [3, 5, 7];

const meetBoundary = namedCall('a.boundary', (account: Account, subscription: Subscription) => {
  const ends = subscription.cancel_at !== null && subscription.cancel_at <= account.now;
  if (ends || subscription.cancel_at_period_end) endSubscription(account, subscription);
  else if (!endsUnpaidTrial(account, subscription)) turnPeriod(account, subscription);
});
const collectAgain = namedCall('a.collect', charge);
const meetDueDate = namedCall('a.due_date', (account: Account, subscription: Subscription) => {
  if (subscription.status !== 'active') return;
  subscription.status = 'past_due';
  emit(account, 'customer.subscription.updated', subscription, { status: 'active' });
});
const chargeDraft = namedCall(
  'a.finalize',
  (account: Account, subscription: Subscription, invoice: Invoice) => {
    finalizeInvoice(account, invoice);
    collect(account, subscription, invoice);
  },
);

/** Returns the period that contains `at`, counted from the anchor. Whole seconds. */
export function periodContaining(
  anchor: number,
  { recurring }: Pick<Price, 'recurring'>,
  at: number,
): { current_period_start: number; current_period_end: number } {
  const { interval = 'month', interval_count: count = 1 } = recurring ?? {};
  const schedule = { anchor: anchor * 1000, timeZone: 'UTC', interval };
  const { index } = calendarPeriodContaining(schedule, at * 1000);
  const first = Math.floor(index / count) * count;
  const startOf = (place: number): number => calendarPeriodAt(schedule, place).start / 1000;
  return { current_period_start: startOf(first), current_period_end: startOf(first + count) };
}

/** Returns when the first of its items' periods ends: items of several intervals have periods of their own. */
export function periodEnd({ items }: Subscription): number {
  return Math.min(...items.data.map((item) => item.current_period_end));
}

/** Schedules the next event: the requested end, or the next period. */
export function scheduleBoundary(account: Account, subscription: Subscription): void {
  const end = periodEnd(subscription);
  const at = Math.min(end, subscription.cancel_at ?? end);
  account.schedule(subscription.id, at, meetBoundary(account, subscription));
}

/** Ends the subscription: nothing more is charged. */
export function endSubscription(account: Account, subscription: Subscription): void {
  account.unschedule(subscription.id);
  subscription.status = 'canceled';
  subscription.canceled_at ??= account.now;
  subscription.ended_at = account.now;
  for (const invoice of openInvoices(account, subscription)) account.unschedule(invoice.id);
  for (const invoice of invoicesOf(account, subscription, 'draft')) keepDraft(account, invoice);
  emit(account, 'customer.subscription.deleted', subscription);
}

/**
 * Charges an invoice's amount due, or sends it to the customer to be paid until its due date. Nothing is collected while
 * the merchant has paused that, whatever the invoice is for.
 */
export function collect(account: Account, subscription: Subscription, invoice: Invoice): void {
  if (isPaused(account, subscription)) {
    leaveUncollected(account, subscription, invoice);
    return;
  }
  if (invoice.collection_method !== 'send_invoice' || invoice.amount_due === 0) {
    charge(account, subscription, invoice);
    return;
  }
  emit(account, 'invoice.sent', invoice);
  account.schedule(invoice.id, invoice.due_date ?? account.now, meetDueDate(account, subscription));
}

/** Charges the amount due; an unpaid invoice makes the subscription past due, and is retried by the clock. */
function charge(account: Account, subscription: Subscription, invoice: Invoice): void {
  const outcome = payInvoice(account, invoice);
  // Until a bank answers, the subscription is as before.
  if (outcome !== null) applyOutcome(account, subscription, invoice, outcome === 'paid');
}

/**
 * Gives a subscription the state that follows from a payment of its invoice. Only the latest one counts: an earlier one
 * may stay open beside it (https://docs.stripe.com/billing/subscriptions/overview).
 */
export function applyOutcome(
  account: Account,
  subscription: Subscription,
  invoice: Invoice,
  paid: boolean,
): void {
  const before = subscription.status;
  // Its open invoices stay payable, but what has ended does not begin again.
  if (before === 'canceled') return;
  const isLatest = subscription.latest_invoice === invoice.id;
  // A zero invoice does not end a trial.
  if (paid && isLatest && before !== 'trialing') subscription.status = 'active';
  if (!paid) {
    if (isLatest) subscription.status = 'past_due';
    if (!tryAgain(account, subscription, invoice)) return;
  }
  if (subscription.status !== before) {
    emit(account, 'customer.subscription.updated', subscription, { status: before });
  }
}

/** Pays the open invoices, as the customer on the provider's own page. */
export function payOpenInvoices(account: Account, subscription: Subscription): void {
  for (const invoice of openInvoices(account, subscription)) {
    account.unschedule(invoice.id);
    charge(account, subscription, invoice);
  }
}

/** Pays all open invoices of a subscription with one payment. */
export function payAtOnce(account: Account, subscription: Subscription): void {
  const invoices = openInvoices(account, subscription);
  for (const invoice of invoices) account.unschedule(invoice.id);
  payTogether(account, invoices);
  for (const invoice of invoices) applyOutcome(account, subscription, invoice, true);
}

/**
 * Handles `POST /v1/invoices/{id}/void`: nothing is due for it any more.
 *
 * @throws Problem when it is not open
 */
export function voidInvoice(account: Account, invoice: Invoice): Invoice {
  stopCollecting(
    account,
    invoice,
    'You can only pass in open or uncollectible invoices. This invoice is not.',
  );
  Object.assign(invoice, { status: 'void', next_payment_attempt: null });
  delete invoice.status_details;
  emit(account, 'invoice.voided', invoice);
  recover(account, invoice);
  return invoice;
}

/**
 * Handles `POST /v1/invoices/{id}/mark_uncollectible`: its merchant no longer wants the money, but it can still be paid.
 *
 * @throws Problem when it is not open
 */
export function forgiveInvoice(account: Account, invoice: Invoice): Invoice {
  if (invoice.status !== 'open') throw refused('You can only mark open invoices as uncollectible.');
  account.unschedule(invoice.id);
  invoice.next_payment_attempt = null;
  markUncollectible(account, invoice, 'user_forgiven');
  recover(account, invoice);
  return invoice;
}

/**
 * Handles `POST /v1/invoices/{id}/pay` of a payment outside of the provider: nothing is charged.
 *
 * @throws Problem when it is not open
 */
export function payElsewhere(account: Account, invoice: Invoice): Invoice {
  stopCollecting(account, invoice, 'Invoice is already paid or void.');
  // There is no `invoice.payment_succeeded` without a payment.
  markPaid(account, invoice);
  recover(account, invoice);
  return invoice;
}

/** @throws Problem with `refusal` when the invoice is not open */
function stopCollecting(account: Account, invoice: Invoice, refusal: string): void {
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') throw refused(refusal);
  account.unschedule(invoice.id);
  cancelPayments(account, invoice);
}

/** Ends the past-due state once its latest invoice is no longer open. */
function recover(account: Account, invoice: Invoice): void {
  const subscription = account.get('subscription', invoice.parent.subscription_details.subscription);
  if (subscription.status !== 'past_due' || subscription.latest_invoice !== invoice.id) return;
  subscription.status = 'active';
  emit(account, 'customer.subscription.updated', subscription, { status: 'past_due' });
}

/** Ends or pauses a subscription whose trial ends without a card, if its settings say so. */
function endsUnpaidTrial(account: Account, subscription: Subscription): boolean {
  const { status, customer, trial_settings: settings } = subscription;
  if (status !== 'trialing' || account.cards.get(customer) !== 'is_removed') return false;
  switch (settings?.end_behavior.missing_payment_method) {
    case 'cancel':
      endSubscription(account, subscription);
      return true;
    case 'pause':
      // No invoice is made, and no period begins.
      pause(account, subscription, 'trial_end_without_payment_method');
      return true;
    default:
      return false;
  }
}

/** Stops a subscription: no invoice is made and no period begins until it is resumed. */
export function pause(
  account: Account,
  subscription: Subscription,
  type: NonNullable<Subscription['status_details']>['paused']['subscription']['type'],
): void {
  account.unschedule(subscription.id);
  subscription.status = 'paused';
  subscription.status_details = {
    paused: { subscription: { type }, transitioned_at: account.now, type: 'subscription' },
  };
  emit(account, 'customer.subscription.paused', subscription);
}

/**
 * Handles `POST /v1/subscriptions/{id}/resume`: a new period begins now and is charged at once, less what was credited
 * when it was paused.
 *
 * @throws Problem when it is not paused
 */
export function resumeSubscription(account: Account, id: string): Subscription {
  const subscription = account.get('subscription', id);
  if (subscription.status !== 'paused') {
    throw refused('You can only resume subscriptions with status `paused`.');
  }
  subscription.status = 'active';
  delete subscription.status_details;
  subscription.billing_cycle_anchor = account.now;
  for (const item of subscription.items.data) {
    Object.assign(item, periodContaining(account.now, item.price, account.now));
  }
  const credited = account.pendingLines.get(subscription.id) ?? [];
  account.pendingLines.delete(subscription.id);
  const lines = [...credited, ...fullLines(subscription.items.data, subscription.currency)];
  scheduleBoundary(account, subscription);
  emit(account, 'customer.subscription.resumed', subscription);
  collect(account, subscription, createInvoice(account, subscription, 'subscription_update', lines));
  return subscription;
}

function turnPeriod(account: Account, subscription: Subscription): void {
  const before = subscription.items.data.map((item) => ({ ...item }));
  const due = subscription.items.data.filter((item) => item.current_period_end <= account.now);
  for (const item of due) Object.assign(item, nextPeriod(subscription, item));
  if (subscription.status === 'trialing') subscription.status = 'active';
  const lines = [
    ...(account.pendingLines.get(subscription.id) ?? []),
    ...fullLines(due, subscription.currency),
  ];
  account.pendingLines.delete(subscription.id);
  emit(account, 'customer.subscription.updated', subscription, { items: { data: before } });
  scheduleBoundary(account, subscription);
  if (subscription.status === 'unpaid') {
    // Nothing more is collected: it stays a draft.
    createInvoice(account, subscription, 'subscription_cycle', lines, null);
    return;
  }
  if (account.draftHours === 0 || isPaused(account, subscription)) {
    collect(account, subscription, createInvoice(account, subscription, 'subscription_cycle', lines));
    return;
  }
  const finalizesAt = account.now + account.draftHours * HOUR_S;
  const invoice = createInvoice(account, subscription, 'subscription_cycle', lines, finalizesAt);
  account.schedule(invoice.id, finalizesAt, chargeDraft(account, subscription, invoice));
}

/** Whether the merchant has paused the collection of payments. */
export function isPaused(account: Account, { pause_collection: pause }: Subscription): boolean {
  if (!pause) return false;
  return pause.resumes_at === null || pause.resumes_at > account.now;
}

/** Leaves the invoice uncollected: nothing is charged, and the subscription is unchanged. */
function leaveUncollected(
  account: Account,
  { pause_collection: pause }: Subscription,
  invoice: Invoice,
): void {
  switch (pause?.behavior) {
    case 'void':
      invoice.status = 'void';
      emit(account, 'invoice.voided', invoice);
      return;
    case 'mark_uncollectible':
      markUncollectible(account, invoice, 'subscription_paused');
      return;
    default:
      invoice.status = 'draft';
      keepDraft(account, invoice);
  }
}

function markUncollectible(
  account: Account,
  invoice: Invoice,
  reason: NonNullable<Invoice['status_details']>['uncollectible']['reason'],
): void {
  Object.assign(invoice, { status: 'uncollectible', status_details: { uncollectible: { reason } } });
  emit(account, 'invoice.marked_uncollectible', invoice);
}

function nextPeriod(
  subscription: Subscription,
  item: SubscriptionItem,
): { current_period_start: number; current_period_end: number } {
  return periodContaining(subscription.billing_cycle_anchor, item.price, item.current_period_end);
}

/** Schedules another attempt. False if that was the last one, and the subscription has ended. */
function tryAgain(account: Account, subscription: Subscription, invoice: Invoice): boolean {
  const days = RETRY_AFTER_DAYS[invoice.attempt_count - 1];
  if (days === undefined) {
    invoice.next_payment_attempt = null;
    if (account.afterRetries !== 'cancel') {
      subscription.status = account.afterRetries;
      return true;
    }
    markUncollectible(account, invoice, 'max_payment_attempts');
    endSubscription(account, subscription);
    return false;
  }
  invoice.next_payment_attempt = account.now + days * DAY_S;
  account.schedule(invoice.id, invoice.next_payment_attempt, collectAgain(account, subscription, invoice));
  return true;
}

function openInvoices(account: Account, subscription: Subscription): Invoice[] {
  return invoicesOf(account, subscription, 'open');
}

function invoicesOf(account: Account, subscription: Subscription, wanted: 'open' | 'draft'): Invoice[] {
  return account.all('invoice').filter(({ status, parent }) => {
    return status === wanted && parent.subscription_details.subscription === subscription.id;
  });
}
