import Stripe from 'stripe';

/** A permission of a restricted key, by the names of the provider's dashboard. */
export interface KeyPermission {
  resource: string;
  level: 'Read' | 'Write';
}

/** The provider checks the permission before it looks for the object, so a request that names none has no effect. */
const NO_OBJECT = 'tollgate_permission_check';

/** What the adapter needs, with a request that the provider refuses with 403 if the key lacks it. */
const NEEDED: readonly (KeyPermission & { ask: (client: Stripe) => Promise<unknown> })[] = [
  {
    resource: 'Checkout Sessions',
    level: 'Write',
    ask: (client) => client.checkout.sessions.expire(NO_OBJECT),
  },
  {
    resource: 'Subscriptions',
    level: 'Write',
    ask: (client) => client.subscriptions.update(NO_OBJECT, {}),
  },
  {
    resource: 'Charges and Refunds',
    level: 'Write',
    ask: (client) => client.refunds.create({ payment_intent: NO_OBJECT }),
  },
  { resource: 'Invoices', level: 'Read', ask: (client) => client.invoices.list({ limit: 1 }) },
  { resource: 'PaymentIntents', level: 'Read', ask: (client) => client.paymentIntents.retrieve(NO_OBJECT) },
  { resource: 'Prices', level: 'Read', ask: (client) => client.prices.retrieve(NO_OBJECT) },
  { resource: 'Disputes', level: 'Read', ask: (client) => client.disputes.list({ limit: 1 }) },
  { resource: 'Payouts', level: 'Read', ask: (client) => client.payouts.list({ limit: 1 }) },
  { resource: 'Balance', level: 'Read', ask: (client) => client.balance.retrieve() },
  {
    resource: 'Balance Transaction Sources',
    level: 'Read',
    ask: (client) => client.balanceTransactions.list({ limit: 1, payout: NO_OBJECT }),
  },
  {
    resource: 'Webhook Endpoints',
    level: 'Read',
    ask: (client) => client.webhookEndpoints.list({ limit: 1 }),
  },
];

/** The permissions that a restricted key needs; docs/payment-providers.md lists the same. */
export const NEEDED_PERMISSIONS: readonly KeyPermission[] = NEEDED;

/**
 * Returns which of the needed permissions a key lacks. Changes nothing at the provider.
 *
 * @throws Error if the provider cannot be asked
 */
export async function missingPermissions(client: Stripe): Promise<KeyPermission[]> {
  const lacks = await Promise.all(NEEDED.map(({ ask }) => isForbidden(() => ask(client))));
  return NEEDED.filter((_, index) => lacks[index] === true);
}

async function isForbidden(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return false;
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) return true;
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return false;
    throw error;
  }
}
