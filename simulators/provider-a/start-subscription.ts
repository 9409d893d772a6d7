import { newId, type Account } from './account';
import { newItem } from './change-items';
import type { SessionParameters } from './checkout-parameters';
import { emit } from './events';
import { createInvoice, fullLines, listOf, payInvoice } from './invoices';
import type { Subscription } from './billing-records';
import { periodContaining, scheduleBoundary } from './renewal';

const DAY_S = 86_400;

/** Starts a subscription after a paid checkout: in a trial, or with its first period invoiced and paid. */
export function startSubscription(
  account: Account,
  customer: string,
  currency: string,
  wanted: SessionParameters,
): Subscription {
  const { now } = account;
  const trialEnd =
    wanted.subscription_data?.trial_period_days === undefined
      ? null
      : now + wanted.subscription_data.trial_period_days * DAY_S;
  const id = newId('sub');
  const items = wanted.line_items.map(({ price = '', quantity }) => {
    const stored = account.get('price', price);
    const period =
      trialEnd === null
        ? periodContaining(now, stored, now)
        : { current_period_start: now, current_period_end: trialEnd };
    return newItem(account, { id, currency }, period, { price, quantity });
  });
  const subscription: Subscription = account.add({
    id,
    object: 'subscription',
    billing_cycle_anchor: trialEnd ?? now,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null },
    collection_method: 'charge_automatically',
    created: now,
    currency,
    customer,
    discounts: [],
    ended_at: null,
    items: listOf(items, `/v1/subscription_items?subscription=${id}`),
    latest_invoice: null,
    livemode: account.livemode,
    metadata: { ...wanted.subscription_data?.metadata },
    pause_collection: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: trialEnd === null ? 'active' : 'trialing',
    trial_end: trialEnd,
    trial_start: trialEnd === null ? null : now,
  });
  const lines = trialEnd === null ? fullLines(items, currency) : [];
  const invoice = createInvoice(account, subscription, 'subscription_create', lines);
  emit(account, 'customer.subscription.created', subscription);
  payInvoice(account, invoice);
  scheduleBoundary(account, subscription);
  return subscription;
}
