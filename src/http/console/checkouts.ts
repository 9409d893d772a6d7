import { checkoutSchema, createCheckoutInput, listCheckoutsQuery } from '../../checkouts/checkout-resource';
import { pageSchema } from '../../pagination/cursor';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { replayableReply, requiredClaim } from '../replayable';
import { route, type Route } from '../route';

const tag = 'Checkouts';
const path = '/api/billing/checkouts';

/** `/api/billing/checkouts` */
export function checkoutRoutes({ checkouts }: Pick<Services, 'checkouts'>): Route[] {
  return [
    route({
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
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await checkouts.list(await principal.actor(), query),
      }),
    }),
    route({
      method: 'post',
      path,
      operationId: 'createCheckout',
      summary: 'Offer a plan to a customer, to begin when it is paid',
      description:
        'Makes an `incomplete` subscription and the transaction that pays for its first period, at the plan’s price of now. Paid in full before `expiresAt`, the subscription begins at the payment’s instant; unpaid until then, both expire. Where nothing is to pay (a trial, a free plan) it begins at once. A new checkout of the customer in the plan group takes the place of an earlier one that is not paid.',
      tag,
      access: 'operator',
      role: 'developer',
      body: createCheckoutInput,
      idempotencyKey: 'required',
      responses: { 201: { description: 'The checkout', schema: checkoutSchema } },
      errors: ['customer_not_found', 'plan_not_found', 'plan_archived', 'subscription_exists'],
      handle: async ({ principal, body, idempotency }) =>
        replayableReply(await checkouts.create(await principal.actor(), body, requiredClaim(idempotency))),
    }),
    route({
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
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await checkouts.get(await principal.actor(), params.id),
      }),
    }),
    route({
      method: 'post',
      path: `${path}/{id}/expire`,
      operationId: 'expireCheckout',
      summary: 'Give a checkout up',
      description:
        'At once: it can no longer be paid, and its subscription is expired. One that has expired stays as it is. What was paid of it in part stays on record.',
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      responses: { 200: { description: 'The checkout', schema: checkoutSchema } },
      errors: ['checkout_not_found', 'checkout_not_open'],
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await checkouts.expire(await principal.actor(), params.id),
      }),
    }),
  ];
}
