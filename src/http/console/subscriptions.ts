import { pageSchema } from '../../pagination/cursor';
import { listQuery } from '../../schemas/list';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import {
  createSubscriptionInput,
  listSubscriptionsQuery,
  subscriptionSchema,
} from '../../subscriptions/subscription-resource';
import { duePageSchema, listDueQuery } from '../../subscriptions/due-resource';
import { timelineSchema } from '../../subscriptions/timeline-resource';
import { replayableReply, requiredClaim } from '../replayable';
import { BODY_WITH_METADATA } from '../body-limit';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Subscriptions';

/** `/api/billing/subscriptions` */
export function subscriptionRoutes({ subscriptions }: Pick<Services, 'subscriptions'>): Route[] {
  return [
    workspaceRoute({
      method: 'get',
      path: '/api/billing/subscriptions',
      operationId: 'listSubscriptions',
      summary: 'List subscriptions',
      description: 'Newest first.',
      tag,
      access: 'operator',
      role: 'viewer',
      query: listSubscriptionsQuery,
      responses: { 200: { description: 'A page of subscriptions', schema: pageSchema(subscriptionSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, { query }) => subscriptions.list(actor, query),
    }),
    workspaceRoute({
      method: 'post',
      path: '/api/billing/subscriptions',
      operationId: 'createSubscription',
      summary: 'Subscribe a customer to a plan',
      description:
        'Opens a local-billing subscription (provider `internal`) at once, at the plan’s current price. Name the customer by `customerId` or `externalId`, and the plan by `planId` or `planSlug`. A customer has at most one open subscription in a plan group.',
      tag,
      access: 'operator',
      role: 'developer',
      body: createSubscriptionInput,
      bodyLimit: BODY_WITH_METADATA,
      idempotencyKey: 'required',
      responses: { 201: { description: 'The subscription', schema: subscriptionSchema } },
      errors: ['customer_not_found', 'plan_not_found', 'plan_archived', 'subscription_exists'],
      handle: async (actor, { body, idempotency }) =>
        replayableReply(await subscriptions.open(actor, body, requiredClaim(idempotency))),
    }),
    workspaceRoute({
      method: 'get',
      path: '/api/billing/subscriptions/{id}',
      operationId: 'getSubscription',
      summary: 'Read a subscription',
      tag,
      access: 'operator',
      role: 'viewer',
      params: idParams,
      responses: { 200: { description: 'The subscription', schema: subscriptionSchema } },
      errors: ['subscription_not_found'],
      answer: (actor, { params }) => subscriptions.get(actor, params.id),
    }),
    workspaceRoute({
      method: 'get',
      path: '/api/billing/due',
      operationId: 'listDueSubscriptions',
      summary: 'List what falls due',
      description:
        'Open subscriptions whose current period is over within a day, a week or a month, the earliest first, with what happens to each then.',
      tag,
      access: 'operator',
      role: 'viewer',
      query: listDueQuery,
      responses: { 200: { description: 'A page of subscriptions', schema: duePageSchema } },
      errors: ['cursor_invalid'],
      answer: (actor, { query }) => subscriptions.due(actor, query),
    }),
    workspaceRoute({
      method: 'get',
      path: '/api/billing/subscriptions/{id}/timeline',
      operationId: 'getSubscriptionTimeline',
      summary: 'Read a subscription’s timeline',
      description:
        'The history, newest first, page by page. Each page has `upcoming`: the next steps if nothing is done.',
      tag,
      access: 'operator',
      role: 'viewer',
      params: idParams,
      query: listQuery,
      responses: { 200: { description: 'The timeline', schema: timelineSchema } },
      errors: ['subscription_not_found', 'cursor_invalid'],
      answer: (actor, { params, query }) => subscriptions.timeline(actor, params.id, query),
    }),
  ];
}
