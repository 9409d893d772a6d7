import { z } from 'zod';
import { expandQuery } from '../../expansion/expanded-resource';
import { expandOne, expandPage } from './expansion';
import { createCheckoutInput, listCheckoutsQuery } from '../../checkouts/checkout-input';
import { checkoutSchema } from '../../checkouts/checkout-resource';
import { pageSchema } from '../../pagination/page-schema';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { commandReply, pendingOperation, requiredClaim } from '../replayable';
import { BODY_WITH_METADATA } from '../body-limit';
import { mountedRoute, type MountedRoute } from '../mounted-route';

const expandable = expandQuery(['customer', 'plan']);
const tag = 'Checkouts';

/** `/api/billing/checkouts` */
export function checkoutRoutes({
  expand,
  checkouts,
}: Pick<Services, 'expand' | 'checkouts'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'get',
      operationId: 'listCheckouts',
      summary: 'List checkouts',
      description: 'Newest first.',
      tag,
      console: { path: '/api/billing/checkouts', role: 'viewer' },
      v1: { path: '/v1/checkouts', scopes: { anyOf: ['read', 'subscriptions'] } },
      query: listCheckoutsQuery.extend(expandable),
      responses: { 200: { description: 'A page of checkouts', schema: pageSchema(checkoutSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, call) => expandPage(expand, actor, call, (who, query) => checkouts.list(who, query)),
    }),
    mountedRoute({
      method: 'post',
      operationId: 'createCheckout',
      summary: 'Create a checkout for a plan or a one-time payment',
      description:
        'With `planId` or `planSlug`, creates an `incomplete` subscription that begins once the checkout is paid, or expires at `expiresAt`. With `amount` and `description`, collects a one-time payment. Local billing: record the payment of the returned transaction (of the checkout itself for a one-time payment); if nothing is due (a trial, a free plan), the subscription begins immediately. Payment provider: send the customer to `url`; the answer is 202 until the provider has created the page. A new checkout replaces the customer’s unpaid checkout in the same plan group.',
      tag,
      console: { path: '/api/billing/checkouts', role: 'developer' },
      v1: { path: '/v1/checkouts', scopes: { anyOf: ['subscriptions'] } },
      body: createCheckoutInput,
      example: {
        externalId: 'demo_new',
        planSlug: 'pro',
        provider: 'provider_b',
        successUrl: 'https://app.example.com/thanks',
        cancelUrl: 'https://app.example.com/pricing',
      },
      bodyLimit: BODY_WITH_METADATA,
      idempotencyKey: 'required',
      responses: {
        201: { description: 'The checkout', schema: checkoutSchema },
        202: pendingOperation,
      },
      errors: [
        'customer_not_found',
        'customer_erased',
        'plan_not_found',
        'plan_archived',
        'subscription_exists',
        'connection_not_found',
        'connection_disabled',
        'connection_ambiguous',
        'return_origin_forbidden',
        'plan_not_mapped',
        'plan_price_differs',
        'checkout_not_open',
        'capability_unsupported',
        'payment_declined',
        'provider_refused',
        'temporal_unavailable',
        'service_busy',
      ],
      handle: async (actor, { body, idempotency, principal }) =>
        commandReply(await checkouts.create(actor, body, requiredClaim(idempotency)), principal),
    }),
    mountedRoute({
      method: 'get',
      operationId: 'getCheckout',
      summary: 'Read a checkout',
      tag,
      console: { path: '/api/billing/checkouts/{id}', role: 'viewer' },
      v1: { path: '/v1/checkouts/{id}', scopes: { anyOf: ['read', 'subscriptions'] } },
      params: idParams,
      query: z.strictObject(expandable),
      responses: { 200: { description: 'The checkout', schema: checkoutSchema } },
      errors: ['checkout_not_found'],
      answer: (actor, call) => expandOne(expand, actor, call, () => checkouts.get(actor, call.params.id)),
    }),
    mountedRoute({
      method: 'post',
      operationId: 'expireCheckout',
      summary: 'Expire a checkout',
      description:
        'The checkout can no longer be paid, and its subscription expires. Partial payments stay recorded. Expiring it again changes nothing. At a payment provider, the provider is asked first: a checkout that was just paid becomes complete. Until the provider answers, the answer is 202 with the checkout `open` and `givenUpAt` set.',
      tag,
      console: { path: '/api/billing/checkouts/{id}/expire', role: 'developer' },
      v1: { path: '/v1/checkouts/{id}/expire', scopes: { anyOf: ['subscriptions'] } },
      params: idParams,
      responses: {
        200: { description: 'The checkout, which has expired', schema: checkoutSchema },
        202: { description: 'The provider has not answered yet', schema: checkoutSchema, location: true },
      },
      errors: ['checkout_not_found', 'checkout_not_open'],
      handle: async (actor, { params, principal }) => {
        const body = await checkouts.expire(actor, params.id);
        if (body.status !== 'open') return { status: 200, body };
        const at = principal.kind === 'api_key' ? '/v1/checkouts' : '/api/billing/checkouts';
        return { status: 202, body, headers: { Location: `${at}/${body.id}` } };
      },
    }),
  ];
}
