import { newId, type Account } from './account';
import { changeItems, type ItemsChange } from './change-items';
import { emit } from './events';
import { createInvoice, fullLines, listOf, payInvoice } from './invoices';
import { cardError } from './payments';
import { cardProblem, invalid, refused } from './problem';
import {
  collect,
  endSubscription,
  isPaused,
  periodContaining,
  periodEnd,
  scheduleBoundary,
  voidInvoice,
} from './renewal';
import type { InvoiceLine, Metadata, Subscription } from './billing-records';
import { setBilling, takenOff } from './subscription-billing';
import type { UpdateParameters } from './subscription-parameters';

/** Handles `POST /v1/subscriptions/{id}`. @throws Problem 402 when the payment would fail; then nothing has changed */
export function updateSubscription(account: Account, id: string, wanted: UpdateParameters): Subscription {
  const subscription = account.get('subscription', id);
  if (isOver(subscription) && Object.keys(wanted).some((key) => key !== 'metadata' && key !== 'expand')) {
    throw refused('A canceled subscription can only update its cancellation_details and metadata.');
  }
  const setsEnd = wanted.cancel_at !== undefined || wanted.cancel_at_period_end !== undefined;
  if (setsEnd && subscription.schedule) {
    throw refused(
      `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    );
  }
  if (wanted.cancel_at !== undefined && wanted.cancel_at_period_end !== undefined)
    throw invalid('You may only specify one of these parameters: cancel_at, cancel_at_period_end.');
  if (typeof wanted.cancel_at === 'number' && wanted.cancel_at <= account.now)
    throw invalid('The `cancel_at` timestamp must be in the future.', { param: 'cancel_at' });
  if (typeof wanted.trial_end === 'number' && wanted.trial_end <= account.now)
    throw invalid('The `trial_end` timestamp must be in the future.', { param: 'trial_end' });
  const before = structuredClone(subscription);
  const at = wanted.proration_date ?? account.now;
  const keepsCycle = wanted.billing_cycle_anchor?.type === 'unchanged';
  const change = wanted.items && changeItems(account, subscription, wanted.items, at, keepsCycle);
  const due = change && dueNow(change, wanted.proration_behavior ?? 'create_prorations');
  const isCharged =
    subscription.collection_method === 'charge_automatically' && !isPaused(account, subscription);
  // An invoice that is sent or not collected requires no payment: the original ignores the parameter.
  if (due !== undefined && isCharged && wanted.payment_behavior === 'error_if_incomplete') {
    requirePayment(account, subscription, due);
  }
  if (change !== undefined) {
    subscription.items.data = change.items;
    if (change.newCycle !== null) subscription.billing_cycle_anchor = account.now;
    else if (wanted.proration_behavior === undefined || wanted.proration_behavior === 'create_prorations') {
      const pending = account.pendingLines.get(subscription.id) ?? [];
      account.pendingLines.set(subscription.id, [...pending, ...change.prorations]);
    }
  }
  const first =
    wanted.billing_cycle_anchor?.type === 'now'
      ? beginCycle(account, subscription)
      : moveTrial(account, subscription, wanted);
  setEnd(account, subscription, wanted);
  setBilling(account, subscription, wanted);
  setDetails(subscription, wanted);
  subscription.metadata = mergeMetadata(subscription.metadata, wanted.metadata);
  if (!isOver(subscription)) scheduleBoundary(account, subscription);
  const previous = differences(before, subscription);
  if (Object.keys(previous).length > 0)
    emit(account, 'customer.subscription.updated', subscription, previous);
  if (due !== undefined && due.length > 0) {
    collect(account, subscription, createInvoice(account, subscription, 'subscription_update', due));
  }
  if (first.length > 0)
    collect(account, subscription, createInvoice(account, subscription, 'subscription_update', first));
  return subscription;
}

/** Handles `DELETE /v1/subscriptions/{id}`: ends it at once. */
export function cancelSubscription(account: Account, id: string): Subscription {
  const subscription = account.get('subscription', id);
  if (isOver(subscription)) throw refused(`No such subscription: '${id}'`, 'resource_missing');
  endSubscription(account, subscription);
  return subscription;
}

/** Handles `POST /v1/invoices/create_preview`: shows what an update would invoice, without doing it. */
export function previewUpdate(
  account: Account,
  id: string,
  wanted: Pick<UpdateParameters, 'items' | 'proration_behavior' | 'proration_date'>,
): unknown {
  const subscription = account.get('subscription', id);
  const change = changeItems(account, subscription, wanted.items ?? [], wanted.proration_date ?? account.now);
  const lines = dueNow(change, wanted.proration_behavior ?? 'create_prorations') ?? change.prorations;
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  return {
    id: newId('upcoming_in'),
    object: 'invoice',
    amount_due: Math.max(0, total),
    billing_reason: 'upcoming',
    currency: subscription.currency,
    customer: subscription.customer,
    lines: listOf(lines, '/v1/invoices/lines'),
    livemode: account.livemode,
    parent: { type: 'subscription_details', subscription_details: { subscription: id, metadata: {} } },
    status: 'draft',
    total,
  };
}

export function mergeMetadata(stored: Metadata, sent: Metadata | '' | undefined): Metadata {
  if (sent === undefined) return stored;
  if (sent === '') return {};
  // An empty value removes the entry.
  return Object.fromEntries(Object.entries({ ...stored, ...sent }).filter(([, value]) => value !== ''));
}

/** Returns the lines invoiced at once, if any. */
function dueNow(
  change: ItemsChange,
  behavior: 'always_invoice' | 'create_prorations' | 'none',
): InvoiceLine[] | undefined {
  const prorations = behavior === 'none' ? [] : change.prorations;
  if (change.newCycle !== null) return [...prorations, ...change.newCycle];
  return behavior === 'always_invoice' && prorations.length > 0 ? prorations : undefined;
}

/** Refuses a payment that would fail. The refused attempt emits its events, like the original's. */
function requirePayment(account: Account, subscription: Subscription, due: readonly InvoiceLine[]): void {
  const full = due.reduce((sum, { amount }) => sum + amount, 0);
  const total = full - takenOff(account, subscription, Math.max(0, full));
  const { customer } = subscription;
  const card = account.cards.get(customer) ?? 'pays';
  if (total + Math.min(0, account.get('customer', customer).balance) <= 0) return;
  if (card === 'is_removed') {
    throw refused(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      'resource_missing',
    );
  }
  const error = cardError(card);
  if (error === null) return;
  attemptInVain(account, subscription, due);
  if (card !== 'requires_authentication') throw cardProblem(error);
  throw cardProblem({
    code: 'subscription_payment_intent_requires_action',
    message:
      'Payment for this subscription requires additional user action before it can be completed successfully.',
  });
}

/** Makes an invoice and fails to collect it, like the original: it is left behind, void, and all else is as before. */
function attemptInVain(account: Account, subscription: Subscription, due: readonly InvoiceLine[]): void {
  const customer = account.get('customer', subscription.customer);
  const [{ balance }, { latest_invoice: latest }] = [customer, subscription];
  const invoice = createInvoice(account, subscription, 'subscription_update', [...due]);
  payInvoice(account, invoice);
  voidInvoice(account, invoice);
  customer.balance = balance;
  subscription.latest_invoice = latest;
}

/** Begins a period now, as the merchant does with "Reset billing cycle". Returns the lines due at once. */
function beginCycle(account: Account, subscription: Subscription): InvoiceLine[] {
  const { now } = account;
  const items = subscription.items.data;
  subscription.billing_cycle_anchor = now;
  for (const item of items) Object.assign(item, periodContaining(now, item.price, now));
  return fullLines(items, subscription.currency);
}

/** Moves the end of a trial, or ends it now: the first paid period begins then. Returns the lines due at once. */
function moveTrial(
  account: Account,
  subscription: Subscription,
  { trial_end: end }: UpdateParameters,
): InvoiceLine[] {
  if (end === undefined || (end === 'now' && subscription.status !== 'trialing')) return [];
  const items = subscription.items.data;
  if (end !== 'now') {
    subscription.trial_start ??= account.now;
    Object.assign(subscription, { status: 'trialing', trial_end: end, billing_cycle_anchor: end });
    for (const item of items) item.current_period_end = end;
    return [];
  }
  const { now } = account;
  Object.assign(subscription, { status: 'active', trial_end: now, billing_cycle_anchor: now });
  for (const item of items) Object.assign(item, periodContaining(now, item.price, now));
  return fullLines(items, subscription.currency);
}

function setEnd(account: Account, subscription: Subscription, wanted: UpdateParameters): void {
  const { cancel_at: at, cancel_at_period_end: atEnd } = wanted;
  if (atEnd !== undefined) {
    // An end at an instant is a separate setting, which this one leaves unchanged.
    if (!atEnd && !subscription.cancel_at_period_end) return;
    subscription.cancel_at_period_end = atEnd;
    subscription.cancel_at = atEnd ? periodEnd(subscription) : null;
  } else if (at !== undefined) {
    subscription.cancel_at = at === '' ? null : typeof at === 'number' ? at : endOfPeriods(subscription, at);
    subscription.cancel_at_period_end = false;
  } else return;
  subscription.canceled_at = subscription.cancel_at === null ? null : account.now;
}

function endOfPeriods({ items }: Subscription, which: 'min_period_end' | 'max_period_end'): number {
  const ends = items.data.map((item) => item.current_period_end);
  return which === 'min_period_end' ? Math.min(...ends) : Math.max(...ends);
}

function setDetails(
  { cancellation_details: details }: Subscription,
  { cancellation_details: wanted }: UpdateParameters,
): void {
  details.comment = wanted?.comment ?? details.comment;
  details.feedback = wanted?.feedback ?? details.feedback;
}

export function isOver({ status }: Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

function differences(before: Subscription, after: Subscription): Record<string, unknown> {
  const now = new Map<string, unknown>(Object.entries(after));
  return Object.fromEntries(
    Object.entries(before).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(now.get(key))),
  );
}
