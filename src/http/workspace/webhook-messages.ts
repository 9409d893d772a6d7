import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { webhookMessageSchema } from '../../webhook-messages/message-schema';
import { mountedRoute, type MountedRoute } from '../mounted-route';
import { READ } from './webhook-endpoints';

/** Reads one message with its payload, for keys and for the page that shows a delivery. */
export function webhookMessageRoute({ webhookMessages }: Pick<Services, 'webhookMessages'>): MountedRoute {
  return mountedRoute({
    method: 'get',
    operationId: 'getWebhookMessage',
    summary: 'Get a webhook message',
    tag: 'Webhook messages',
    console: { path: '/api/webhook-messages/{id}', role: 'viewer' },
    v1: { path: '/v1/webhook-messages/{id}', scopes: READ },
    params: idParams,
    responses: { 200: { description: 'The message.', schema: webhookMessageSchema } },
    errors: ['webhook_message_not_found'],
    answer: (actor, { params }) => webhookMessages.get(actor, params.id),
  });
}
