import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { CheckoutCreated, CheckoutRequest } from '../provider-operations';
import { writeAmount } from './amounts';
import { approvalLink } from './approval-link';
import type { ProviderBClient } from './client';
import { ProviderBFailure } from './failure';
import { createdObject } from './schemas';
import { failureOf, writeOutcome } from './outcomes';

type Offer<Kind> = Extract<CheckoutRequest['offer'], { kind: Kind }>;

/**
 * Creates a subscription that waits for its customer's consent, or an order that waits for payment. B stores our
 * checkout's id as `custom_id`, its only field for one; the checkout says which subscription it becomes. B's pages
 * expire on B's own schedule, which `expiresAt` cannot change.
 *
 * If it is sent again under its key, B answers with the result of the first request.
 */
export function createCheckout(
  client: ProviderBClient,
  access: ConnectionAccess,
  request: CheckoutRequest,
): Promise<Outcome<CheckoutCreated>> {
  const { offer } = request;
  return writeOutcome(request, async () => {
    const [kind, path, body] =
      offer.kind === 'subscription'
        ? (['subscription', '/v1/billing/subscriptions', subscriptionBody(request, offer)] as const)
        : (['order', '/v2/checkout/orders', orderBody(request, offer)] as const);
    const json = Buffer.from(JSON.stringify(body));
    const made = await send(client, access, { path, json, key: request.key });
    // An object approved in the meantime no longer has a link; its customer goes to the page that B would redirect to.
    const url = approvalLink(made.links) ?? (isOpen(made.status) ? null : request.successUrl);
    if (url !== null) return { kind: 'done', value: { url, references: [{ kind, reference: made.id }] } };
    throw new ProviderBFailure(
      'unreadable',
      'answer_unreadable',
      `Provider B does not report the approval URL of ${made.id}.`,
    );
  });
}

/** B accepts keys of up to 108 characters, and an operation's has up to 64. */
const DIGEST_LENGTH = 40;

/**
 * Sends a checkout. The customer's address or the plan's reference may differ from an earlier request whose answer was
 * lost. That earlier page was given to no customer, so it cannot be approved; the current offer gets a key of its own.
 */
async function send(
  client: ProviderBClient,
  access: ConnectionAccess,
  { path, json, key }: { path: string; json: Buffer; key: string },
): Promise<z.infer<typeof createdObject>> {
  const post = (requestId: string) => client.post(access, path, json, createdObject, { requestId });
  try {
    return await post(key);
  } catch (error) {
    const { kind, code } = failureOf(error);
    if (kind !== 'refused' || code !== 'DUPLICATE_REQUEST_ID') throw error;
    return post(`${key}-${createHash('sha256').update(json).digest('hex').slice(0, DIGEST_LENGTH)}`);
  }
}

function isOpen(status: string): boolean {
  return ['CREATED', 'PAYER_ACTION_REQUIRED', 'APPROVAL_PENDING'].includes(status);
}

function subscriptionBody(
  { checkoutId, customer, ...request }: CheckoutRequest,
  { planReference, quantity }: Offer<'subscription'>,
): object {
  return {
    plan_id: planReference,
    // A plan without seats refuses any quantity, and the default is 1.
    ...(quantity === 1 ? {} : { quantity: quantity.toString() }),
    custom_id: checkoutId,
    ...(customer.email === null ? {} : { subscriber: { email_address: customer.email } }),
    application_context: { ...pages(request), user_action: 'SUBSCRIBE_NOW' },
  };
}

const DESCRIPTION_BYTES = 127;

function orderBody(
  { checkoutId, ...request }: CheckoutRequest,
  { amount, currency, description }: Offer<'payment'>,
): object {
  return {
    intent: 'CAPTURE',
    purchase_units: [
      {
        custom_id: checkoutId,
        ...(description === '' ? {} : { description: shortened(description) }),
        amount: { currency_code: currency, value: writeAmount(amount, currency) },
      },
    ],
    payment_source: { paypal: { experience_context: { ...pages(request), user_action: 'PAY_NOW' } } },
  };
}

/** B counts bytes, as its limit is one of ASCII characters. The encoder stops before a character that does not fit. */
function shortened(description: string): string {
  const { read } = new TextEncoder().encodeInto(description, new Uint8Array(DESCRIPTION_BYTES));
  return description.slice(0, read);
}

function pages({ successUrl, cancelUrl }: Pick<CheckoutRequest, 'successUrl' | 'cancelUrl'>): object {
  return { return_url: successUrl, cancel_url: cancelUrl, shipping_preference: 'NO_SHIPPING' };
}
