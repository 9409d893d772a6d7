import { namedCall } from '../core/named-call';
import { newId, type Account } from './account';
import { requireCharged } from './amounts';
import { amountOf, isPricedIn, requireActive } from './price-amount';
import type { SessionParameters } from './checkout-parameters';
import { createCustomer, requireCustomer } from './customers';
import { emit } from './events';
import { pay } from './payments';
import { invalid, refused } from './problem';
import { startSubscription } from './start-subscription';
import { isOver } from './subscriptions';
import type { Card } from './billing-records';
import type { CheckoutSession } from './payment-records';

const DAY_S = 86_400;
const SHORTEST_S = 1_800;

const expireLater = namedCall('a.expire_session', (account: Account, id: string) => {
  expireSession(account, id);
});

/** Handles `POST /v1/checkout/sessions`. @param origin address of the hosted page */
export function createSession(account: Account, wanted: SessionParameters, origin: string): CheckoutSession {
  if (wanted.customer !== undefined && wanted.customer_email !== undefined) {
    throw invalid('You may only specify one of these parameters: customer, customer_email.');
  }
  if (wanted.customer !== undefined) requireCustomer(account, wanted.customer, 'customer');
  const expires = wanted.expires_at ?? account.now + DAY_S;
  if (expires < account.now + SHORTEST_S || expires > account.now + DAY_S) {
    throw invalid('The `expires_at` timestamp must be between 30 minutes and 24 hours from now.', {
      param: 'expires_at',
    });
  }
  const { total, currency } = priceLines(account, wanted, wanted.currency);
  requireActivePrices(account, wanted);
  if (wanted.mode === 'subscription') requireCurrencyOf(account, wanted.customer, currency);
  const id = newId(account.livemode ? 'cs_live' : 'cs_test');
  const session: CheckoutSession = account.add({
    id,
    object: 'checkout.session',
    amount_total: total,
    cancel_url: wanted.cancel_url ?? null,
    client_reference_id: wanted.client_reference_id ?? null,
    created: account.now,
    currency,
    customer: wanted.customer ?? null,
    customer_email: wanted.customer_email ?? null,
    expires_at: expires,
    invoice: null,
    livemode: account.livemode,
    metadata: wanted.metadata ?? {},
    mode: wanted.mode,
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    success_url: wanted.success_url,
    ui_mode: 'hosted_page',
    url: `${origin}/pay/${id}`,
  });
  account.asked.set(id, wanted);
  account.schedule(id, expires, expireLater(account, id));
  return session;
}

/** Handles `POST /v1/checkout/sessions/{id}/expire`; the clock also calls it after 24 hours. */
export function expireSession(account: Account, id: string): CheckoutSession {
  const session = account.get('checkout.session', id);
  if (session.status !== 'open')
    throw refused('Only Checkout Sessions with a status in ["open"] can be expired.');
  account.unschedule(id);
  Object.assign(session, { status: 'expired', url: null });
  emit(account, 'checkout.session.expired', session);
  return session;
}

/** Completes the payment on the hosted page. False if the card is declined, and the session stays open. */
export function completeSession(account: Account, session: CheckoutSession, card: Card): boolean {
  const wanted = account.asked.get(session.id);
  if (wanted === undefined || session.status !== 'open') return false;
  if (session.customer !== null && account.get('customer', session.customer).deleted === true) return false;
  localize(account, session, wanted);
  const { amount_total: amount, currency } = session;
  // The session's own metadata is not copied, as with the original.
  const metadata = wanted.payment_intent_data?.metadata ?? {};
  if (card !== 'pays') {
    pay(account, { amount, currency, customer: session.customer, metadata }, card);
    return false;
  }
  if (session.mode === 'payment') {
    // No customer is created for a single payment: a new payer is a guest.
    const { customer } = session;
    session.payment_intent = pay(account, { amount, currency, customer, metadata }, card).id;
    session.payment_status = 'paid';
  } else {
    const customer = session.customer ?? createCustomer(account, session.customer_email).id;
    account.cards.set(customer, card);
    session.customer = customer;
    const subscription = startSubscription(account, customer, session.currency, wanted);
    session.subscription = subscription.id;
    session.invoice = subscription.latest_invoice;
    session.payment_status = subscription.status === 'trialing' ? 'no_payment_required' : 'paid';
  }
  account.unschedule(session.id);
  Object.assign(session, { status: 'complete', url: null });
  emit(account, 'checkout.session.completed', session);
  return true;
}

/**
 * Offers the session in the currency of the customer's country if no currency was requested and every price has an
 * amount in it, like the original's page.
 */
function localize(account: Account, session: CheckoutSession, wanted: SessionParameters): void {
  const { localCurrency: local } = account;
  if (local === null || wanted.currency !== undefined) return;
  const isOffered = wanted.line_items.every(
    ({ price }) => price !== undefined && isPricedIn(account.get('price', price), local),
  );
  if (!isOffered) return;
  const { total, currency } = priceLines(account, wanted, local);
  Object.assign(session, { amount_total: total, currency });
}

/** @throws Problem if the customer is billed in another currency, or may soon be */
function requireCurrencyOf(account: Account, customer: string | undefined, currency: string): void {
  const subscriptions = account.all('subscription').filter((subscription) => !isOver(subscription));
  const sessions = account
    .all('checkout.session')
    .filter(({ mode, status }) => mode === 'subscription' && status === 'open');
  const other = [...subscriptions, ...sessions].find(
    (one) => one.customer !== null && one.customer === customer && one.currency !== currency,
  );
  if (other === undefined) return;
  throw refused(
    `You cannot combine currencies on a single customer. This customer has an active subscription, subscription schedule, discount, quote, invoice item or active subscription mode checkout session with currency ${other.currency}.`,
  );
}

/** @throws Problem */
function requireActivePrices(account: Account, { line_items: lines }: SessionParameters): void {
  for (const { price } of lines) if (price !== undefined) requireActive(account.get('price', price));
}

function priceLines(
  account: Account,
  { mode, line_items: lines }: SessionParameters,
  requested: string | undefined,
): { total: number; currency: string } {
  const priced = lines.map(({ price, price_data: data, quantity = 1 }, index) => {
    if ((price === undefined) === (data === undefined))
      throw invalid('Each line item needs one of `price` and `price_data`.');
    const stored =
      price === undefined ? undefined : account.get('price', price, `line_items[${index}][price]`);
    if (mode === 'subscription' && (stored?.recurring ?? null) === null) {
      throw invalid(
        'You must provide at least one recurring price in `subscription` mode when using prices.',
      );
    }
    if (mode === 'payment' && stored?.recurring) {
      throw invalid('You specified `payment` mode but passed a recurring price.');
    }
    const own = stored?.currency ?? data?.currency ?? '';
    const currency = requested ?? own;
    if (stored === undefined ? currency !== own : !isPricedIn(stored, currency)) {
      throw invalid(
        `The price specified only supports \`${own}\`. This doesn't match the expected currency: \`${currency}\`.`,
      );
    }
    return {
      amount:
        stored === undefined ? (data?.unit_amount ?? 0) * quantity : amountOf(stored, quantity, currency),
      currency,
    };
  });
  const currencies = new Set(priced.map(({ currency }) => currency.toLowerCase()));
  const [currency] = currencies;
  if (currency === undefined)
    throw invalid('Missing required param: line_items.', { code: 'parameter_missing', param: 'line_items' });
  if (currencies.size > 1) throw invalid('All line items must be in one currency.');
  const total = priced.reduce((sum, { amount }) => sum + amount, 0);
  requireCharged(total, currency);
  return { total, currency };
}
