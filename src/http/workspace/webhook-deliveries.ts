import { pageSchema } from '../../pagination/page-schema';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import {
  deliveryParams,
  listDeliveriesQuery,
  webhookDeliverySchema,
} from '../../webhook-endpoints/delivery-resource';
import { resendInput, resendParams, webhookResendSchema } from '../../webhook-endpoints/resend-resource';
import { mountedRoute, type MountedRoute } from '../mounted-route';
import { replayableReply, requiredClaim } from '../replayable';
import { ADMIN, CONSOLE, READ, V1, WRITE } from './webhook-endpoints';

const tag = 'Webhook endpoints';

/** Deliveries to an endpoint, and resending them. */
export function webhookDeliveryRoutes({
  webhookDeliveryLog: log,
  webhookResends: resends,
}: Pick<Services, 'webhookDeliveryLog' | 'webhookResends'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'get',
      operationId: 'listWebhookDeliveries',
      summary: 'List the deliveries of a webhook endpoint',
      description: 'Newest message first, each with its latest attempts. Kept for 30 days.',
      tag,
      console: { path: `${CONSOLE}/{id}/deliveries`, role: 'viewer' },
      v1: { path: `${V1}/{id}/deliveries`, scopes: READ },
      params: idParams,
      query: listDeliveriesQuery,
      responses: { 200: { description: 'A page of deliveries', schema: pageSchema(webhookDeliverySchema) } },
      errors: ['webhook_endpoint_not_found', 'cursor_invalid'],
      answer: (actor, { params, query }) => log.list(actor, params.id, query),
    }),
    mountedRoute({
      method: 'get',
      operationId: 'readWebhookDelivery',
      summary: 'Read one delivery',
      tag,
      console: { path: `${CONSOLE}/{id}/deliveries/{messageId}`, role: 'viewer' },
      v1: { path: `${V1}/{id}/deliveries/{messageId}`, scopes: READ },
      params: deliveryParams,
      responses: { 200: { description: 'The delivery', schema: webhookDeliverySchema } },
      errors: ['webhook_delivery_not_found'],
      answer: (actor, { params }) => log.read(actor, params.id, params.messageId),
    }),
    mountedRoute({
      method: 'post',
      operationId: 'resendWebhookMessage',
      summary: 'Resend a message to a webhook endpoint',
      description:
        'Sends it now, with the same `webhook-id` and up to ten attempts. This also works for a message that the endpoint was never sent.',
      tag,
      console: { path: `${CONSOLE}/{id}/deliveries/{messageId}/resend`, ...ADMIN },
      v1: { path: `${V1}/{id}/deliveries/{messageId}/resend`, scopes: WRITE },
      params: deliveryParams,
      responses: { 200: { description: 'The delivery, which is pending', schema: webhookDeliverySchema } },
      errors: ['webhook_endpoint_not_found', 'webhook_endpoint_off', 'webhook_delivery_not_found'],
      answer: (actor, { params }) => log.resend(actor, params.id, params.messageId),
    }),
    mountedRoute({
      method: 'post',
      operationId: 'testWebhookEndpoint',
      summary: 'Send a test to a webhook endpoint',
      description: 'Sends a `webhook_endpoint.test` to this endpoint only, regardless of its types.',
      tag,
      console: { path: `${CONSOLE}/{id}/test`, ...ADMIN },
      v1: { path: `${V1}/{id}/test`, scopes: WRITE },
      params: idParams,
      idempotencyKey: 'required',
      responses: { 201: { description: 'Its delivery, which is pending', schema: webhookDeliverySchema } },
      errors: ['webhook_endpoint_not_found', 'webhook_endpoint_off'],
      handle: async (actor, { params, idempotency }) => {
        return replayableReply(await log.test(actor, params.id, requiredClaim(idempotency)));
      },
    }),
    mountedRoute({
      method: 'post',
      operationId: 'resendWebhookMessages',
      summary: 'Resend the messages since a time',
      description:
        'Resends messages that were sent to the endpoint, and those of the types that it receives now, including those from before it existed or while it was disabled. They are queued in order of creation, a batch at a time; an endpoint has at most one running resend.',
      tag,
      console: { path: `${CONSOLE}/{id}/resends`, ...ADMIN },
      v1: { path: `${V1}/{id}/resends`, scopes: WRITE },
      params: idParams,
      body: resendInput,
      example: { since: '2026-01-31T00:00:00Z' },
      idempotencyKey: 'required',
      responses: {
        202: { description: 'The resend; read it for its progress', schema: webhookResendSchema },
      },
      errors: ['webhook_endpoint_not_found', 'webhook_endpoint_off', 'webhook_resend_running'],
      handle: async (actor, { params, body, idempotency }) => {
        const claim = requiredClaim(idempotency);
        return replayableReply(await resends.start(actor, params.id, body, claim));
      },
    }),
    mountedRoute({
      method: 'get',
      operationId: 'readWebhookResend',
      summary: 'Read a resend',
      tag,
      console: { path: `${CONSOLE}/{id}/resends/{resendId}`, role: 'viewer' },
      v1: { path: `${V1}/{id}/resends/{resendId}`, scopes: READ },
      params: resendParams,
      responses: { 200: { description: 'The resend', schema: webhookResendSchema } },
      errors: ['webhook_resend_not_found'],
      answer: (actor, { params }) => resends.read(actor, params.id, params.resendId),
    }),
  ];
}
