import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { reversalSchema, reverseInput } from '../../usage-reversals/reversal-resource';
import { mountedRoute, type MountedRoute } from '../mounted-route';
import { replayableReply, requiredClaim } from '../replayable';

/** `/api/billing/usage/events/{id}/reverse` and `/v1/usage/events/{id}/reverse` */
export function usageReversalRoutes({ reverseUsage }: Pick<Services, 'reverseUsage'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'post',
      operationId: 'reverseUsage',
      summary: 'Take a recorded use back, or a part of it',
      description:
        'Once for an event. What it took goes back to the same usage period and the same grants; a grant that has expired stays so. The event stays, and says that it was reversed.',
      tag: 'Usage',
      console: { path: '/api/billing/usage/events/{id}/reverse', role: 'developer' },
      v1: { path: '/v1/usage/events/{id}/reverse', scopes: { anyOf: ['usage'], namedOnly: true } },
      params: idParams,
      body: reverseInput,
      example: { reason: 'The job failed after it was counted' },
      idempotencyKey: 'required',
      responses: { 201: { description: 'What was taken back', schema: reversalSchema } },
      errors: ['usage_event_not_found', 'usage_already_reversed', 'customer_erased'],
      handle: async (actor, { params, body, idempotency }) =>
        replayableReply(await reverseUsage(actor, params.id, body, requiredClaim(idempotency))),
    }),
  ];
}
