import { driftSchema, repairInput, repairSchema } from '../../drift/drift-resource';
import { pageSchema } from '../../pagination/page-schema';
import { listQuery } from '../../schemas/list';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { commandReply, pendingOperation, requiredClaim } from '../replayable';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Drift';
const path = '/api/billing/subscriptions/{id}/drift';

/** `…/drift` of a subscription and of a provider connection. */
export function driftRoutes({ subscriptionDrift }: Pick<Services, 'subscriptionDrift'>): Route[] {
  const ofSubscription = workspaceRoute({
    method: 'get',
    path,
    operationId: 'getSubscriptionDrift',
    summary: 'Compare a subscription with its payment provider',
    description:
      'Reads the provider now, and lists what differs and what cannot be compared. Changes neither side. The finding is kept (`drift=found` lists it) and reported as an event, as the daily comparison does. A change that waits for its renewal or for the customer’s approval is not drift.',
    tag,
    access: 'operator',
    role: 'viewer',
    params: idParams,
    responses: { 200: { description: 'How the two differ', schema: driftSchema } },
    errors: ['subscription_not_found'],
    answer: (actor, { params }) => subscriptionDrift.get(actor, params.id),
  });

  const repair = workspaceRoute({
    method: 'post',
    path,
    operationId: 'repairSubscriptionDrift',
    summary: 'Repair the differences',
    description:
      '`take: provider` copies the provider’s plan, seats, status and period to the subscription here, at the plan’s current price; a scheduled or requested change is withdrawn if the plan or the seats change. `take: local` writes the local state to the provider: plan and seats (A, without proration), whether it renews (A and C), and that it has ended (every provider). The answer lists what still differs.',
    tag,
    access: 'operator',
    role: 'developer',
    params: idParams,
    body: repairInput,
    idempotencyKey: 'required',
    responses: {
      200: { description: 'The subscription after the repair, and what it changed', schema: repairSchema },
      202: pendingOperation,
    },
    errors: [
      'subscription_not_found',
      'capability_unavailable',
      'capability_unsupported',
      'connection_disabled',
      'plan_not_mapped',
      'plan_group_differs',
      'plan_currency_differs',
      'provider_refused',
      'temporal_unavailable',
      'service_busy',
    ],
    handle: async (actor, { params: { id }, body, idempotency, principal }) =>
      commandReply(await subscriptionDrift.repair(actor, id, body, requiredClaim(idempotency)), principal),
  });

  const ofConnection = workspaceRoute({
    method: 'get',
    path: '/api/provider-connections/{id}/drift',
    operationId: 'listConnectionDrift',
    summary: 'Compare a connection’s open subscriptions with the payment provider',
    description:
      'Newest first. Each subscription is read at the provider now, so a page has at most 25, even with a larger `take`. If the provider does not answer, it is not asked for the rest of the page, which cannot be compared then. Continue while `hasMore` is true.',
    tag,
    access: 'operator',
    role: 'viewer',
    params: idParams,
    query: listQuery,
    responses: { 200: { description: 'A page of comparisons', schema: pageSchema(driftSchema) } },
    errors: ['connection_not_found', 'cursor_invalid', 'take_invalid'],
    answer: (actor, { params, query }) => subscriptionDrift.list(actor, params.id, query),
  });

  return [ofSubscription, repair, ofConnection];
}
