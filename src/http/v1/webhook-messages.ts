import { z } from 'zod';
import type { Environment } from '../../domain/environment';
import { TollgateError } from '../../domain/errors';
import type { StreamPosition } from '../../events/stream-position';
import { identifier } from '../../schemas/text';
import type { Services } from '../../service/services';
import { listWebhookMessagesQuery, webhookMessagePage } from '../../webhook-messages/message-schema';
import { messagePositionOf } from '../../webhook-messages/message-stream';
import { openEventStream } from '../event-stream';
import { route, type Route } from '../route';

/** Not `events`: a payload is the resource itself, and a key created before scopes counts as having `events`. */
const SCOPES = { anyOf: ['webhooks', 'read'] } as const;

/**
 * Routes to list the messages sent to integrators, and to stream them (`npm run listen`).
 *
 * @param environment of the host: only the sandbox has the stream
 */
export function webhookMessageRoutes(
  services: Pick<Services, 'webhookMessages' | 'messageStream'>,
  environment: Environment,
): Route[] {
  const { webhookMessages } = services;
  return [
    route({
      method: 'get',
      path: '/v1/webhook-messages',
      operationId: 'listWebhookMessages',
      summary: 'List webhook messages',
      description:
        'The messages sent to webhook endpoints, newest first, each with its payload; they exist even without an endpoint. Messages are kept for 30 days.',
      tag: 'Webhook messages',
      access: 'apiKey',
      scopes: SCOPES,
      query: listWebhookMessagesQuery,
      responses: { 200: { description: 'A page of messages.', schema: webhookMessagePage } },
      errors: ['cursor_invalid', 'take_invalid'],
      handle: async ({ principal: { scope }, query }) => ({
        status: 200,
        body: await webhookMessages.list({ scope, reason: 'API_KEY' }, query),
      }),
    }),
    streamRoute(services, environment),
  ];
}

function streamRoute({ messageStream }: Pick<Services, 'messageStream'>, environment: Environment): Route {
  return route({
    method: 'get',
    path: '/v1/webhook-messages/stream',
    operationId: 'streamWebhookMessages',
    summary: 'Listen to webhook messages',
    description:
      'For trying webhooks on a developer’s machine: the sandbox’s messages as server-sent events, which `npm run listen` forwards. `start` carries the id at which the stream begins, and in its `data` the `sandbox` it belongs to: ids are not valid in another sandbox. The `data` of a `message` is a payload. `gap`: messages were skipped, read the list. `end`: the key is no longer valid, or the service is restarting. Resumes after `Last-Event-ID`, or `after`. Production has no such stream; it sends to webhook endpoints. Limits per process: 5 open streams for a key, 20 for an organization.',
    tag: 'Webhook messages',
    access: 'apiKey',
    scopes: SCOPES,
    query: z.strictObject({
      after: identifier
        .optional()
        .meta({ description: 'The id of the last message received; `Last-Event-ID` takes precedence.' }),
    }),
    responses: { 200: { description: 'The stream.', contentType: 'text/event-stream', schema: z.string() } },
    errors: ['webhook_stream_sandbox_only', 'service_busy', 'too_many_streams'],
    handle: async ({ principal: { scope, apiKeyId }, headers, query }) => {
      if (environment !== 'sandbox') {
        const detail = 'The production host streams no webhook messages; it sends them to webhook endpoints.';
        throw new TollgateError('webhook_stream_sandbox_only', detail);
      }
      const { hub, isLive } = messageStream;
      const start = await hub.start(scope, apiKeyId, lastPosition(headers['last-event-id'], query.after));
      const authorization = { openedBy: apiKeyId, isAllowed: () => isLive(scope, apiKeyId) };
      return {
        status: 200,
        stream: (request, response) =>
          openEventStream(
            hub,
            { scope, callerId: apiKeyId, start, started: { sandbox: scope.workspaceId }, authorization },
            request,
            response,
          ),
      };
    },
  });
}

function lastPosition(header: string | string[] | undefined, after?: string): StreamPosition | null {
  const id = (typeof header === 'string' ? header : header?.[0]) ?? after;
  return id === undefined || id === '' ? null : messagePositionOf(id);
}
