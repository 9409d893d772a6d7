import { z } from 'zod';
import { expandQuery } from '../../expansion/expanded-resource';
import { expandOne, expandPage } from './expansion';
import { pageSchema } from '../../pagination/page-schema';
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
import { mountedRoute, type MountedRoute } from '../mounted-route';

const expandable = expandQuery(['customer', 'plan']);
const tag = 'Subscriptions';

/** `/api/billing/subscriptions` */
export function subscriptionRoutes({
  expand,
  subscriptions,
}: Pick<Services, 'expand' | 'subscriptions'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'get',
      operationId: 'listSubscriptions',
      summary: 'List subscriptions',
      description: 'Newest first.',
      tag,
      console: { path: '/api/billing/subscriptions', role: 'viewer' },
      v1: { path: '/v1/subscriptions', scopes: { anyOf: ['read', 'subscriptions'] } },
      query: listSubscriptionsQuery.extend(expandable),
      responses: { 200: { description: 'A page of subscriptions', schema: pageSchema(subscriptionSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, call) =>
        expandPage(expand, actor, call, (who, query) => subscriptions.list(who, query)),
    }),
    mountedRoute({
      method: 'post',
      operationId: 'createSubscription',
      summary: 'Subscribe a customer to a plan',
      description:
        'Opens a local-billing subscription (provider `internal`) at once, at the plan’s current price. Name the customer by `customerId` or `externalId`, and the plan by `planId` or `planSlug`. A customer has at most one open subscription in a plan group.',
      tag,
      console: { path: '/api/billing/subscriptions', role: 'developer' },
      v1: { path: '/v1/subscriptions', scopes: { anyOf: ['subscriptions'] } },
      body: createSubscriptionInput,
      example: { externalId: 'demo_new', planSlug: 'pro', seats: 2 },
      bodyLimit: BODY_WITH_METADATA,
      idempotencyKey: 'required',
      responses: { 201: { description: 'The subscription', schema: subscriptionSchema } },
      errors: [
        'customer_not_found',
        'customer_erased',
        'plan_not_found',
        'plan_archived',
        'subscription_exists',
        'service_busy',
      ],
      handle: async (actor, { body, idempotency }) =>
        replayableReply(await subscriptions.open(actor, body, requiredClaim(idempotency))),
    }),
    mountedRoute({
      method: 'get',
      operationId: 'getSubscription',
      summary: 'Read a subscription',
      tag,
      console: { path: '/api/billing/subscriptions/{id}', role: 'viewer' },
      v1: { path: '/v1/subscriptions/{id}', scopes: { anyOf: ['read', 'subscriptions'] } },
      params: idParams,
      query: z.strictObject(expandable),
      responses: { 200: { description: 'The subscription', schema: subscriptionSchema } },
      errors: ['subscription_not_found'],
      answer: (actor, call) => expandOne(expand, actor, call, () => subscriptions.get(actor, call.params.id)),
    }),
    mountedRoute({
      method: 'get',
      operationId: 'listDueSubscriptions',
      summary: 'List upcoming renewals and ends',
      description:
        'Open subscriptions whose current period ends within a day, a week or a month, earliest first, with what happens to each then.',
      tag,
      console: { path: '/api/billing/due', role: 'viewer' },
      query: listDueQuery,
      responses: { 200: { description: 'A page of subscriptions', schema: duePageSchema } },
      errors: ['cursor_invalid'],
      answer: (actor, { query }) => subscriptions.due(actor, query),
    }),
    mountedRoute({
      method: 'get',
      operationId: 'getSubscriptionTimeline',
      summary: 'Read a subscription’s timeline',
      description: 'The history, newest first. Each page has `upcoming`: the next steps if nothing is done.',
      tag,
      console: { path: '/api/billing/subscriptions/{id}/timeline', role: 'viewer' },
      v1: { path: '/v1/subscriptions/{id}/timeline', scopes: { anyOf: ['read', 'subscriptions'] } },
      params: idParams,
      query: listQuery,
      responses: { 200: { description: 'The timeline', schema: timelineSchema } },
      errors: ['subscription_not_found', 'cursor_invalid'],
      answer: (actor, { params, query }) => subscriptions.timeline(actor, params.id, query),
    }),
  ];
}
