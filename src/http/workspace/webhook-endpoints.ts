import { pageSchema } from '../../pagination/page-schema';
import { listQuery } from '../../schemas/list';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import {
  changeEndpointInput,
  createdWebhookEndpointSchema,
  createEndpointInput,
  rollSecretInput,
  webhookEndpointSchema,
} from '../../webhook-endpoints/endpoint-resource';
import { mountedRoute, type MountedRoute } from '../mounted-route';
import { HOUR_MS } from '../../domain/instant';

const tag = 'Webhook endpoints';
export const CONSOLE = '/api/webhook-endpoints';
export const V1 = '/v1/webhook-endpoints';
export const READ = { anyOf: ['webhooks', 'read'] } as const;
export const WRITE = { anyOf: ['webhooks'] } as const;
/** An endpoint receives every event, so changing its address is sensitive. */
export const ADMIN = { role: 'developer', roleInProduction: 'admin' } as const;

/** Webhook endpoints, where integrators receive events: `/v1/webhook-endpoints` and Developer > Webhook endpoints. */
export function webhookEndpointRoutes({
  webhookEndpoints,
}: Pick<Services, 'webhookEndpoints'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'get',
      operationId: 'listWebhookEndpoints',
      summary: 'List the webhook endpoints',
      description: 'Newest first. Secrets are never shown again.',
      tag,
      console: { path: CONSOLE, role: 'viewer' },
      v1: { path: V1, scopes: READ },
      query: listQuery,
      responses: { 200: { description: 'A page of endpoints', schema: pageSchema(webhookEndpointSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, { query }) => webhookEndpoints.list(actor, query),
    }),
    mountedRoute({
      method: 'post',
      operationId: 'createWebhookEndpoint',
      summary: 'Create a webhook endpoint',
      description:
        'Messages of the chosen types are posted to it from now on, signed according to Standard Webhooks. `secret` is returned only once, so the request takes no Idempotency-Key. An environment has at most 100.',
      tag,
      compress: false,
      console: { path: CONSOLE, ...ADMIN, stepUp: 'in_production' },
      v1: { path: V1, scopes: WRITE },
      body: createEndpointInput,
      example: {
        url: 'https://app.example.com/webhooks/tollgate',
        types: ['subscription.created', 'subscription.cancelled'],
      },
      responses: {
        201: { description: 'The endpoint, with its secret', schema: createdWebhookEndpointSchema },
      },
      errors: ['webhook_address_refused', 'too_many_webhook_endpoints', 'key_unavailable'],
      answer: (actor, { body, reauthenticate }) => webhookEndpoints.create(actor, body, reauthenticate),
    }),
    mountedRoute({
      method: 'get',
      operationId: 'readWebhookEndpoint',
      summary: 'Read a webhook endpoint',
      tag,
      console: { path: `${CONSOLE}/{id}`, role: 'viewer' },
      v1: { path: `${V1}/{id}`, scopes: READ },
      params: idParams,
      responses: { 200: { description: 'The endpoint', schema: webhookEndpointSchema } },
      errors: ['webhook_endpoint_not_found'],
      answer: (actor, { params }) => webhookEndpoints.read(actor, params.id),
    }),
    mountedRoute({
      method: 'patch',
      operationId: 'changeWebhookEndpoint',
      summary: 'Change, disable or enable a webhook endpoint',
      description:
        'Omitted members keep their values. A disabled endpoint receives nothing, and its pending deliveries are cancelled: resend them once it is enabled.',
      tag,
      console: { path: `${CONSOLE}/{id}`, ...ADMIN, stepUp: 'in_production' },
      v1: { path: `${V1}/{id}`, scopes: WRITE },
      params: idParams,
      body: changeEndpointInput,
      example: { description: 'The billing service' },
      responses: { 200: { description: 'The endpoint', schema: webhookEndpointSchema } },
      errors: ['webhook_endpoint_not_found', 'webhook_address_refused'],
      answer: (actor, { params, body, reauthenticate }) =>
        webhookEndpoints.change(actor, params.id, body, reauthenticate),
    }),
    mountedRoute({
      method: 'delete',
      operationId: 'deleteWebhookEndpoint',
      summary: 'Delete a webhook endpoint',
      description: 'Deletes its deliveries and their log too.',
      tag,
      console: { path: `${CONSOLE}/{id}`, ...ADMIN },
      v1: { path: `${V1}/{id}`, scopes: WRITE },
      params: idParams,
      responses: { 204: { description: 'Deleted' } },
      errors: ['webhook_endpoint_not_found'],
      handle: async (actor, { params }) => {
        await webhookEndpoints.remove(actor, params.id);
        return { status: 204 };
      },
    }),
    mountedRoute({
      method: 'post',
      operationId: 'rollWebhookSecret',
      summary: 'Roll the secret of a webhook endpoint',
      description:
        'Creates a new secret, returned only once. Messages carry both signatures until the overlap ends. If it is rolled again during the overlap, each earlier secret keeps signing until its own overlap ends.',
      tag,
      compress: false,
      console: { path: `${CONSOLE}/{id}/roll`, ...ADMIN, stepUp: 'in_production' },
      v1: { path: `${V1}/{id}/roll`, scopes: WRITE },
      params: idParams,
      body: rollSecretInput,
      example: { overlapHours: 24 },
      responses: {
        200: { description: 'The endpoint, with its new secret', schema: createdWebhookEndpointSchema },
      },
      errors: ['webhook_endpoint_not_found', 'key_unavailable'],
      answer: (actor, { params, body }) =>
        webhookEndpoints.roll(actor, params.id, body.overlapHours * HOUR_MS),
    }),
  ];
}
