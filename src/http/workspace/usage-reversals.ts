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
      summary: 'Reverse a usage event, in full or in part',
      description:
        'Possible once per event. The units are returned to the same usage period and the same grants; an expired grant stays expired. The event is kept and marked as reversed.',
      tag: 'Usage',
      console: { path: '/api/billing/usage/events/{id}/reverse', role: 'developer' },
      v1: { path: '/v1/usage/events/{id}/reverse', scopes: { anyOf: ['usage'], namedOnly: true } },
      params: idParams,
      body: reverseInput,
      example: { reason: 'The job failed after it was counted' },
      idempotencyKey: 'required',
      responses: { 201: { description: 'The reversal', schema: reversalSchema } },
      errors: ['usage_event_not_found', 'usage_already_reversed', 'customer_erased'],
      handle: async (actor, { params, body, idempotency }) =>
        replayableReply(await reverseUsage(actor, params.id, body, requiredClaim(idempotency))),
    }),
  ];
}
