import type { OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import { WEBHOOK_TYPES, webhookTypeOf } from '../../domain/webhook-types';
import { exampleOf } from '../../webhook-messages/message-examples';
import { payloadSchemaOf } from '../../webhook-messages/message-schema';

/** Headers that a receiver gets in addition to the body: https://www.standardwebhooks.com. */
const HEADERS = [
  ['webhook-id', 'The message’s id: the same at every attempt. Process each id once.'],
  ['webhook-timestamp', 'When this attempt was made: seconds since 1970.'],
  [
    'webhook-signature',
    '`v1,` and a signature over id, timestamp and body; if there are several, one must match.',
  ],
] as const;

/** Registers the payloads sent to webhook endpoints, by type. */
export function registerWebhooks(registry: OpenAPIRegistry): void {
  for (const type of WEBHOOK_TYPES) {
    const example = exampleOf(type);
    registry.registerWebhook({
      method: 'post',
      path: type,
      operationId: `webhook.${type}`,
      summary: type,
      description: webhookTypeOf(type).sent,
      tags: ['Webhooks sent'],
      security: [],
      parameters: HEADERS.map(([name, description]) => ({
        name,
        in: 'header',
        required: true,
        description,
        schema: { type: 'string' },
      })),
      request: {
        body: {
          required: true,
          content: { 'application/json': { schema: payloadSchemaOf(type), ...(example && { example }) } },
        },
      },
      responses: {
        200: {
          description: 'Any 2xx acknowledges it. After any other response, or none, it is sent again later.',
        },
      },
    });
  }
}
