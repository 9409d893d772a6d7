import { z } from 'zod';
import type { Environment } from '../../domain/environment';
import { identifier } from '../../schemas/text';
import type { Services } from '../../service/services';
import { receivedSchema } from '../../webhooks/webhook-resource';
import { WEBHOOK_BODY } from '../body-limit';
import { route, type Route } from '../route';
import { PAYMENT_PROVIDERS } from '../../domain/provider';

/**
 * `/v1/webhooks/{provider}`
 *
 * @param environment of the host: connections of the other one are never considered
 */
export function webhookRoutes({ webhooks }: Pick<Services, 'webhooks'>, environment: Environment): Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/webhooks/{provider}',
      operationId: 'receiveWebhook',
      summary: 'Receive a payment provider’s webhook',
      description:
        'For payment providers, which authenticate by their signature over the body’s bytes. Register the webhook URL that the console shows for the connection: its `connection` parameter selects that connection alone. Without it, the connection is found by the references in the body, or among the few of this host’s environment. The answer comes after the commit; any other answer than 200 makes the provider send it again.',
      tag: 'Webhooks',
      access: 'public',
      params: z.strictObject({ provider: z.enum(PAYMENT_PROVIDERS) }),
      query: z.strictObject({
        connection: identifier.optional().meta({ description: 'The connection that the webhook is for.' }),
      }),
      rawBody: true,
      bodyLimit: WEBHOOK_BODY,
      responses: {
        200: { description: 'The webhook is processed, or stored for later', schema: receivedSchema },
      },
      errors: [
        'webhook_signature_invalid',
        'webhook_throttled',
        'webhook_environment_mismatch',
        'webhook_unverifiable',
        'webhook_processing_failed',
        'service_busy',
      ],
      handle: async ({ params, query, readBytes, headers, rawHeaders, ip, requestId }) => ({
        status: 200,
        body: await webhooks.receive(
          {
            environment,
            provider: params.provider,
            connectionId: query.connection ?? null,
            length: lengthOf(headers),
            headers,
            rawHeaders,
            ip,
            requestId,
          },
          readBytes,
        ),
      }),
    }),
  ];
}

/** Returns the Content-Length; Node refuses one that is not a number. */
function lengthOf(headers: Readonly<Record<string, string | string[] | undefined>>): number | null {
  const length = headers['content-length'];
  return typeof length === 'string' ? Number(length) : null;
}
