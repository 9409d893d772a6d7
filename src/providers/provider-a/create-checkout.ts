import { createHash } from 'node:crypto';
import Stripe from 'stripe';
import { z } from 'zod';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { CheckoutCreated, CheckoutRequest } from '../provider-operations';
import { writeOutcome } from './outcomes';
import { clientFor } from './client';
import { writeMoney } from './amounts';
import { isKeyOfOther, isReplayedFailure } from './replay';

type SessionParameters = Stripe.Checkout.SessionCreateParams;

const createdWire = z.looseObject({
  id: z.string().min(1),
  url: z.url({ protocol: /^https?$/ }),
});

/**
 * Creates a page of the provider where the customer pays. The session's metadata is not copied to what it creates, so
 * the subscription or the payment gets our ids in metadata of its own.
 */
export function createCheckout(
  access: ConnectionAccess,
  request: CheckoutRequest,
): Promise<Outcome<CheckoutCreated>> {
  return writeOutcome(async () => {
    const offer = parametersOf(request);
    if (offer === undefined) return NOT_AN_AMOUNT;
    try {
      const { id, url } = createdWire.parse(await create(clientFor(access), offer, request));
      return { kind: 'done', value: { url, references: [{ kind: 'checkout', reference: id }] } };
    } catch (error) {
      if (refusesCustomer(error, request)) return createCheckout(access, withoutCustomer(request));
      if (!isReplayedFailure(error)) throw error;
      return FAILED;
    }
  });
}

/**
 * Returns whether the provider refuses its customer: it was deleted there, the connection now belongs to another
 * account, or the customer has a subscription, or an open page for one, in another currency, of which the provider
 * accepts one per customer. No caller could name another customer, so every later checkout would be refused. The payer
 * becomes a new customer instead.
 */
function refusesCustomer(error: unknown, { customer }: CheckoutRequest): boolean {
  if (customer.reference === null || !(error instanceof Stripe.errors.StripeInvalidRequestError))
    return false;
  const isMissing = error.code === 'resource_missing' && error.param === 'customer';
  // It has no code.
  return isMissing || error.message.includes('cannot combine currencies on a single customer');
}

/** The refused request created nothing, so this one has a key of its own. */
function withoutCustomer(request: CheckoutRequest): CheckoutRequest {
  return { ...request, key: `${request.key}-new`, customer: { ...request.customer, reference: null } };
}

/**
 * Creates a session with the requested expiry. If the provider does not allow it (it must be between 30 minutes and 24
 * hours ahead by the provider's clock), the provider's own 24 hours apply. Letting the provider decide keeps the
 * parameters the same at every sending, as its keys require. The refused request created nothing, so the second has a
 * key of its own.
 */
async function create(
  client: Stripe,
  offer: SessionParameters,
  { key, expiresAt }: CheckoutRequest,
): Promise<unknown> {
  try {
    return await send(client, { ...offer, expires_at: Math.floor(expiresAt / 1000) }, key);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || error.param !== 'expires_at')
      throw error;
    return send(client, offer, `${key}-24h`);
  }
}

/**
 * Sends a session. The customer or the plan's price may differ from an earlier request whose answer was lost. That
 * earlier page was given to no customer, so it cannot be paid; the current offer gets a key of its own.
 */
async function send(client: Stripe, session: SessionParameters, key: string): Promise<unknown> {
  try {
    return await client.checkout.sessions.create(session, { idempotencyKey: key });
  } catch (error) {
    if (!isKeyOfOther(error)) throw error;
    const sent = createHash('sha256').update(JSON.stringify(session)).digest('hex');
    return client.checkout.sessions.create(session, { idempotencyKey: `${key}-${sent}` });
  }
}

function parametersOf({
  checkoutId,
  customer,
  offer,
  ...request
}: CheckoutRequest): SessionParameters | undefined {
  const shared = {
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
    client_reference_id: checkoutId,
    ...payer(customer),
  };
  const ours = { checkoutId, customerId: customer.customerId };
  if (offer.kind === 'subscription') {
    const metadata = { ...ours, subscriptionId: offer.subscriptionId };
    return {
      ...shared,
      mode: 'subscription',
      // Otherwise the page picks the currency of the customer's country, if the price has an amount in it.
      currency: offer.currency.toLowerCase(),
      line_items: [{ price: offer.planReference, quantity: offer.quantity }],
      metadata,
      // The provider requires at least 1, so it is omitted without a trial.
      subscription_data: {
        metadata,
        ...((offer.trialDays ?? 0) > 0 && { trial_period_days: offer.trialDays }),
      },
    };
  }
  const money = writeMoney(offer);
  if (money === undefined) return undefined;
  return {
    ...shared,
    mode: 'payment',
    line_items: [
      {
        price_data: {
          currency: money.currency,
          unit_amount: money.amount,
          product_data: { name: offer.description },
        },
        quantity: 1,
      },
    ],
    metadata: ours,
    payment_intent_data: { description: offer.description, metadata: ours },
  };
}

/** The provider accepts only one of the two. */
function payer({ reference, email }: CheckoutRequest['customer']): SessionParameters {
  if (reference !== null) return { customer: reference };
  return email === null ? {} : { customer_email: email };
}

const NOT_AN_AMOUNT: Outcome<never> = {
  kind: 'declined',
  code: 'amount_not_possible',
  reason: 'The payment provider cannot take this amount.',
};
const FAILED: Outcome<never> = {
  kind: 'declined',
  code: 'provider_failed',
  reason: 'The payment provider failed, and nothing was created. Try again.',
};
