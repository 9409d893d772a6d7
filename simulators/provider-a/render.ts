import type { Account } from './account';
import type { PaymentIntent } from './payment-records';

type Json = Record<string, unknown>;

/** From this version on, periods are on a subscription's items, and an invoice names its subscription in `parent`. */
const ITEM_PERIODS_SINCE = '2025-03-31';

/** Before this version, a payment has a list of its charges instead of the latest one. */
const LATEST_CHARGE_SINCE = '2022-11-15';

/** How much of a list inside another object is sent with it. */
const EMBEDDED = 10;

/** Renders an object for a response: the references in `expand` are replaced by their objects. */
export function render(account: Account, object: unknown, expand: readonly string[] = []): unknown {
  const copy = structuredClone(object);
  for (const path of expand) expandPath(account, copy, path.split('.'));
  hideParts(copy, expand);
  cutEmbeddedLists(copy);
  return copy;
}

/** Renders an object for a webhook endpoint with an API version. */
export function renderForVersion(account: Account, object: unknown, version: string): unknown {
  const copy = render(account, object);
  return version < ITEM_PERIODS_SINCE ? asBefore(account, copy, version) : copy;
}

function expandPath(account: Account, at: unknown, [key, ...rest]: readonly string[]): void {
  if (key === undefined || !isJson(at)) return;
  const value = at[key];
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      if (rest.length === 0 && typeof element === 'string') value[index] = lookUp(account, element);
      else expandPath(account, element, rest);
    }
    return;
  }
  if (typeof value === 'string') at[key] = lookUp(account, value);
  expandPath(account, at[key], rest);
}

function lookUp(account: Account, id: string): unknown {
  const found = account.objects.get(id);
  return found === undefined ? id : structuredClone(found);
}

/** Removes an invoice's payments, a charge's refunds and parts of a price unless they were requested. */
function hideParts(at: unknown, expand: readonly string[]): void {
  if (Array.isArray(at)) for (const element of at) hideParts(element, expand);
  if (!isJson(at)) return;
  const isWanted = (name: string): boolean => expand.some((path) => path.split('.').includes(name));
  if (at['object'] === 'invoice' && !isWanted('payments')) delete at['payments'];
  if (at['object'] === 'charge' && !isWanted('refunds')) delete at['refunds'];
  if (at['object'] === 'price' && !isWanted('tiers')) delete at['tiers'];
  if (at['object'] === 'price' && !isWanted('currency_options')) delete at['currency_options'];
  for (const part of Object.values(at)) hideParts(part, expand);
}

/** Leaves the first page of each list inside another object. A list that was itself requested has its own pages. */
function cutEmbeddedLists(at: unknown, isInside = false): void {
  if (Array.isArray(at)) for (const element of at) cutEmbeddedLists(element, isInside);
  if (!isJson(at)) return;
  const { object, data } = at;
  if (isInside && object === 'list' && Array.isArray(data) && data.length > EMBEDDED)
    Object.assign(at, { data: data.slice(0, EMBEDDED), has_more: true });
  for (const part of Object.values(at)) cutEmbeddedLists(part, isInside || object !== 'list');
}

function asBefore(account: Account, object: unknown, version: string): unknown {
  if (!isJson(object)) return object;
  if (object['object'] === 'subscription') {
    const items = object['items'];
    const first: unknown = isJson(items) && Array.isArray(items['data']) ? items['data'][0] : undefined;
    if (!isJson(first)) return object;
    const { current_period_start, current_period_end } = first;
    return { ...object, current_period_start, current_period_end, items: withoutPeriods(items) };
  }
  if (object['object'] === 'invoice') {
    const { parent, status, ...rest } = object;
    const details = isJson(parent) ? parent['subscription_details'] : undefined;
    const subscription = isJson(details) ? details['subscription'] : null;
    const intent = paymentOf(account, rest['id']);
    const charge = intent?.latest_charge ?? null;
    return {
      ...rest,
      status,
      subscription,
      paid: status === 'paid',
      payment_intent: intent?.id ?? null,
      charge,
    };
  }
  if (object['object'] === 'payment_intent') {
    const { latest_charge: charge, ...rest } = object;
    const invoice = invoiceOf(account, rest['id']);
    if (version >= LATEST_CHARGE_SINCE) return { ...object, invoice };
    const data = typeof charge === 'string' ? [{ ...account.get('charge', charge), invoice }] : [];
    return { ...rest, invoice, charges: { object: 'list', data, has_more: false } };
  }
  if (object['object'] === 'charge')
    return { ...object, invoice: invoiceOf(account, object['payment_intent']) };
  return object;
}

/** Returns what pays an invoice, which the invoice named itself before. */
function paymentOf(account: Account, invoice: unknown): PaymentIntent | undefined {
  const paid = account
    .all('invoice')
    .find(({ id }) => id === invoice)
    ?.payments.data.at(-1);
  return paid && account.get('payment_intent', paid.payment.payment_intent);
}

function invoiceOf(account: Account, intent: unknown): string | null {
  const paid = account
    .all('invoice')
    .find(({ payments }) => payments.data.some(({ payment }) => payment.payment_intent === intent));
  return paid?.id ?? null;
}

function withoutPeriods(items: unknown): unknown {
  if (!isJson(items) || !Array.isArray(items['data'])) return items;
  const data = items['data'].map((item: unknown) => {
    const withPeriod = ['current_period_start', 'current_period_end'];
    return isJson(item)
      ? Object.fromEntries(Object.entries(item).filter(([key]) => !withPeriod.includes(key)))
      : item;
  });
  return { ...items, data };
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
