import { newId, type Account } from './account';
import { toCharged } from './amounts';
import { fullLines, invoiceLine } from './invoices';
import type { ItemParameters } from './subscription-parameters';
import { invalid, refused } from './problem';
import { periodContaining } from './renewal';
import { amountOf, isPricedIn, requireActive } from './price-amount';
import type { InvoiceLine, Subscription, SubscriptionItem } from './billing-records';

const MOST_ITEMS = 20;

export interface ItemsChange {
  items: SubscriptionItem[];
  /** Credit for unused time, and the charge for the remaining time. */
  prorations: InvoiceLine[];
  /**
   * The first charge of a new cycle, if the interval changes or a free subscription becomes a paid one: it begins now,
   * and its price is due at once.
   */
  newCycle: InvoiceLine[] | null;
}

/**
 * Computes the result of an update of items, without changing anything.
 *
 * @param at when prorations start, in seconds
 * @param keepsCycle whether a free subscription that becomes a paid one stays in its cycle
 */
export function changeItems(
  account: Account,
  subscription: Subscription,
  wanted: readonly ItemParameters[],
  at: number,
  keepsCycle = false,
): ItemsChange {
  const items = subscription.items.data.map((item) => ({ ...item }));
  for (const one of wanted) apply(account, subscription, items, one);
  if (items.length === 0) throw refused('A subscription must have at least one active plan.');
  if (items.length > MOST_ITEMS) throw refused(`A subscription can have at most ${MOST_ITEMS} items.`);
  const before = subscription.items.data;
  const changed = items.filter((item) => !before.some((old) => isSame(old, item)));
  const removed = before.filter((old) => !items.some((item) => isSame(old, item)));
  const becomesPaid = subscription.status !== 'trialing' && isFree(before) && !isFree(items);
  const restarts = intervalOf(before[0]) !== intervalOf(items[0]) || (becomesPaid && !keepsCycle);
  // Nothing was charged in a trial, and nothing is charged now.
  const share = subscription.status === 'trialing' ? free : prorated;
  const { currency } = subscription;
  const credit = removed.map((item) => share(item, currency, at, -1));
  if (!restarts) {
    return {
      items,
      prorations: [...credit, ...changed.map((item) => share(item, currency, at, 1))],
      newCycle: null,
    };
  }
  for (const item of items) {
    Object.assign(item, periodContaining(account.now, item.price, account.now));
  }
  return { items, prorations: credit, newCycle: fullLines(items, currency) };
}

/** Creates an item of a subscription, in a given period. */
export function newItem(
  account: Account,
  subscription: Pick<Subscription, 'id' | 'currency'>,
  period: { current_period_start: number; current_period_end: number },
  { price: priceId, quantity = 1 }: { price: string; quantity?: number | undefined },
): SubscriptionItem {
  return {
    id: newId('si'),
    object: 'subscription_item',
    created: account.now,
    current_period_start: period.current_period_start,
    current_period_end: period.current_period_end,
    metadata: {},
    price: recurringPrice(account, priceId, subscription.currency),
    quantity,
    subscription: subscription.id,
  };
}

function apply(
  account: Account,
  subscription: Subscription,
  items: SubscriptionItem[],
  wanted: ItemParameters,
): void {
  if (wanted.id === undefined) {
    // Without an item's id it is a second item, as with the original.
    const [first] = items;
    if (wanted.price === undefined || first === undefined)
      throw invalid('Missing required param: items[0][price].', { code: 'parameter_missing' });
    if (items.some((item) => item.price.id === wanted.price)) {
      throw refused(`Cannot add multiple subscription items with the same plan: ${wanted.price}`);
    }
    const added = newItem(account, subscription, first, { price: wanted.price, quantity: wanted.quantity });
    const isInTrial = subscription.status === 'trialing';
    if (!isInTrial && intervalOf(added) !== intervalOf(first))
      Object.assign(added, ownPeriod(account, subscription, added));
    items.push(added);
    return;
  }
  const index = items.findIndex((item) => item.id === wanted.id);
  const item = items[index];
  if (item === undefined) throw refused(`No such subscription_item: '${wanted.id}'`, 'resource_missing');
  if (wanted.deleted === true) {
    items.splice(index, 1);
    return;
  }
  if (wanted.price !== undefined) item.price = recurringPrice(account, wanted.price, subscription.currency);
  if (wanted.quantity !== undefined) item.quantity = wanted.quantity;
}

/** Returns the period of an item with an interval of its own: it ends as if it had begun with the subscription's cycle. */
function ownPeriod(
  account: Account,
  { billing_cycle_anchor: anchor }: Subscription,
  { price }: SubscriptionItem,
): { current_period_start: number; current_period_end: number } {
  return { ...periodContaining(anchor, price, account.now), current_period_start: account.now };
}

function recurringPrice(account: Account, id: string, currency: string): SubscriptionItem['price'] {
  const price = account.get('price', id, 'items[0][price]');
  requireActive(price);
  if (price.recurring === null)
    throw refused(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
    );
  if (!isPricedIn(price, currency))
    throw refused('The price specified only supports another currency than this subscription.');
  return structuredClone(price);
}

function intervalOf(item: SubscriptionItem | undefined): string {
  const { interval = '', interval_count: count = 1 } = item?.price.recurring ?? {};
  return `${count} ${interval}`;
}

/** Whether all prices are of zero, whatever the quantities. */
function isFree(items: readonly SubscriptionItem[]): boolean {
  return items.every(({ price }) => amountOf(price, 1, price.currency) === 0);
}

function isSame(a: SubscriptionItem, b: SubscriptionItem): boolean {
  return a.id === b.id && a.price.id === b.price.id && a.quantity === b.quantity;
}

function free(item: SubscriptionItem, currency: string, at: number): InvoiceLine {
  return invoiceLine(item, 'proration', { amount: 0, currency }, { start: at, end: item.current_period_end });
}

/** Returns the line for the rest of an item's period: a charge, or a credit if the sign is -1. */
export function prorated(item: SubscriptionItem, currency: string, at: number, sign: 1 | -1): InvoiceLine {
  const { current_period_start: start, current_period_end: end } = item;
  const left = Math.min(Math.max(end - at, 0), end - start);
  const share = (amountOf(item.price, item.quantity, currency) * left) / (end - start);
  const amount = sign * toCharged(share, currency);
  return invoiceLine(item, 'proration', { amount, currency }, { start: at, end });
}
