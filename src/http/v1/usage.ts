import { z } from 'zod';
import { replayableReply } from '../replayable';
import { route, type Reply, type Route } from '../route';
import type { ApiKeyPrincipal } from '../principals';
import type { Usage } from '../../usage/submit-usage';
import { checkSchema, trackSchema } from '../../usage/usage-answer-schema';
import { toCheckCall, type UsageCall } from '../../usage/usage-call';
import { usageQuestion } from '../../usage/usage-question';
import { externalId } from '../../schemas/text';
import { RESERVATION_SECONDS } from '../../domain/reservation';
import { TRACK_LIMIT, TRACK_REFUSALS, TRACK_ROUTE, trackBody, trackCall } from './track-input';

const checkBody = z
  .strictObject({
    externalId,
    ...usageQuestion.shape,
    reserve: z
      .strictObject({
        expiresInSeconds: z.int().min(RESERVATION_SECONDS.least).max(RESERVATION_SECONDS.most),
      })
      .optional()
      .meta({
        description: 'If granted, holds the quantity until it is tracked or released, or expires.',
      }),
  })
  .meta({ id: 'UsageCheckRequest' });

/** `POST /v1/usage/check` and `POST /v1/usage/track`. */
export function usageRoutes(usage: Usage): Route[] {
  const submit = async (principal: ApiKeyPrincipal, call: UsageCall): Promise<Reply> => {
    return replayableReply({ status: 200, ...(await usage.submit(principal.scope, call)) });
  };
  return [
    route({
      method: 'post',
      path: '/v1/usage/check',
      operationId: 'checkUsage',
      summary: 'Decide whether a customer may use a feature, before the work runs',
      description:
        'Returns 200 for every decision, granted or denied. With `reserve`, the units are held for the track that follows; without it, nothing is held. A check takes no Idempotency-Key: one that is sent again holds its units again, and units whose answer was lost are held until they are released or expire.',
      tag: 'Usage',
      access: 'apiKey',
      scopes: { anyOf: ['usage'] },
      compress: false,
      direct: true,
      body: checkBody,
      example: { externalId: 'demo_acme', feature: 'ai_tokens', quantity: 500 },
      responses: { 200: { description: 'The decision.', schema: checkSchema } },
      errors: [
        'customer_not_found',
        'feature_not_found',
        'feature_not_metered',
        'entity_required',
        'too_many_reservations',
        'service_busy',
        'service_unavailable',
      ],
      handle: ({ principal, body, requestId }) => submit(principal, toCheckCall(body, 'api', requestId)),
    }),
    route({
      ...TRACK_ROUTE,
      operationId: 'trackUsage',
      summary: 'Record usage, after the operation succeeded',
      description:
        'Reuse the Idempotency-Key when you retry the same event: it is counted once, however late the retry.',
      tag: 'Usage',
      access: 'apiKey',
      scopes: { anyOf: ['usage'] },
      compress: false,
      direct: true,
      idempotencyKey: 'required',
      body: trackBody,
      bodyLimit: TRACK_LIMIT,
      example: { externalId: 'demo_acme', feature: 'ai_tokens', quantity: 500 },
      responses: { 200: { description: 'The usage is recorded.', schema: trackSchema } },
      errors: TRACK_REFUSALS,
      // A denial has its decision; a missing scope has none.
      problemMembers: { 403: z.object({ decision: checkSchema.optional() }) },
      handle: ({ principal, body, idempotency, requestId }) =>
        submit(principal, trackCall(body, idempotency, requestId)),
    }),
  ];
}
