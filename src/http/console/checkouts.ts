import { createCheckoutInput, listCheckoutsQuery } from '../../checkouts/checkout-input';
import { checkoutSchema } from '../../checkouts/checkout-resource';
import { pageSchema } from '../../pagination/cursor';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { commandReply, pendingOperation, requiredClaim } from '../replayable';
import { BODY_WITH_METADATA } from '../body-limit';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Checkouts';
const path = '/api/billing/checkouts';

/** `/api/billing/checkouts` */
export function checkoutRoutes({ checkouts }: Pick<Services, 'checkouts'>): Route[] {
  return [
    workspaceRoute({
      method: 'get',
      path,
      operationId: 'listCheckouts',
      summary: 'List checkouts',
      description: 'Newest first.',
      tag,
      access: 'operator',
      role: 'viewer',
      query: listCheckoutsQuery,
      responses: { 200: { description: 'A page of checkouts', schema: pageSchema(checkoutSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, { query }) => checkouts.list(actor, query),
    }),
    workspaceRoute({
      method: 'post',
      path,
      operationId: 'createCheckout',
      summary: 'Offer a plan to a customer, to begin when it is paid, or ask for an amount once',
      description:
        'Of a plan (`planId`, `planSlug`) it makes an `incomplete` subscription, which begins when it is paid before `expiresAt` and else expires; with `amount` and `description` it takes an amount once. In local billing what is to be paid is a transaction (of an amount, the checkout itself), whose payment is recorded, and where nothing is to pay (a trial, a free plan) the subscription begins at once. At a payment provider the customer pays at `url`, which can be sent again for as long as the checkout is open; the provider’s plan is the one that the connection or the plan’s metadata names, and the answer is 202 as long as the provider has not said whether it has made the page. A new checkout of the customer in the plan group takes the place of an earlier one that is not paid.',
      tag,
      access: 'operator',
      role: 'developer',
      body: createCheckoutInput,
      bodyLimit: BODY_WITH_METADATA,
      idempotencyKey: 'required',
      responses: {
        201: { description: 'The checkout', schema: checkoutSchema },
        202: pendingOperation,
      },
      errors: [
        'customer_not_found',
        'plan_not_found',
        'plan_archived',
        'subscription_exists',
        'connection_not_found',
        'connection_disabled',
        'connection_ambiguous',
        'plan_not_mapped',
        'plan_price_differs',
        'capability_unsupported',
        'payment_declined',
        'provider_refused',
        'temporal_unavailable',
        'service_busy',
      ],
      handle: async (actor, { body, idempotency }) =>
        commandReply(await checkouts.create(actor, body, requiredClaim(idempotency))),
    }),
    workspaceRoute({
      method: 'get',
      path: `${path}/{id}`,
      operationId: 'getCheckout',
      summary: 'Read a checkout',
      tag,
      access: 'operator',
      role: 'viewer',
      params: idParams,
      responses: { 200: { description: 'The checkout', schema: checkoutSchema } },
      errors: ['checkout_not_found'],
      answer: (actor, { params }) => checkouts.get(actor, params.id),
    }),
    workspaceRoute({
      method: 'post',
      path: `${path}/{id}/expire`,
      operationId: 'expireCheckout',
      summary: 'Expire a checkout',
      description:
        'It can no longer be paid, and its subscription expires. An expired checkout stays as it is. Partial payments stay on record. At a payment provider the provider is asked first: a checkout that was paid at the last moment is complete, and the answer is 202 with the checkout `open` and its `givenUpAt` until the provider answers; polling goes on.',
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      responses: {
        200: { description: 'The checkout, which has expired', schema: checkoutSchema },
        202: { description: 'The provider has not answered yet', schema: checkoutSchema },
      },
      errors: ['checkout_not_found', 'checkout_not_open'],
      handle: async (actor, { params }) => {
        const body = await checkouts.expire(actor, params.id);
        return { status: body.status === 'open' ? 202 : 200, body };
      },
    }),
  ];
}
