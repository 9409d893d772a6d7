import { z } from 'zod';
import { pageSchema } from '../../pagination/page-schema';
import { booleanFilter } from '../../schemas/list';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { listWebhookFailuresQuery, webhookFailureSchema } from '../../webhooks/failure-resource';
import { listWebhooksQuery, replaySchema, webhookSchema } from '../../webhooks/webhook-resource';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Webhooks';

/** `/api/webhooks` */
export function webhookRoutes({ webhooks }: Pick<Services, 'webhooks'>): Route[] {
  return [
    workspaceRoute({
      method: 'get',
      path: '/api/webhooks',
      operationId: 'listWebhooks',
      summary: 'List the providers’ webhooks',
      description: 'Verified webhooks and their results, newest first.',
      tag,
      access: 'operator',
      role: 'viewer',
      query: listWebhooksQuery,
      responses: { 200: { description: 'A page of webhooks', schema: pageSchema(webhookSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, { query }) => webhooks.list(actor, query),
    }),
    // Declared before `/api/webhooks/{id}`, which would take the name for an id.
    workspaceRoute({
      method: 'get',
      path: '/api/webhooks/failures',
      operationId: 'listWebhookFailures',
      summary: 'List deliveries that failed',
      description:
        'Deliveries that were answered with an error, newest first. The sum of the counts is the number of deliveries.',
      tag,
      access: 'operator',
      role: 'viewer',
      query: listWebhookFailuresQuery,
      responses: { 200: { description: 'A page of failures', schema: pageSchema(webhookFailureSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, { query }) => webhooks.listFailures(actor, query),
    }),
    workspaceRoute({
      method: 'get',
      path: '/api/webhooks/{id}',
      operationId: 'getWebhook',
      summary: 'Read a webhook',
      tag,
      access: 'operator',
      role: 'viewer',
      params: idParams,
      responses: { 200: { description: 'The webhook', schema: webhookSchema } },
      errors: ['webhook_not_found'],
      answer: (actor, { params }) => webhooks.get(actor, params.id),
    }),
    workspaceRoute({
      method: 'post',
      path: '/api/webhooks/{id}/replay',
      operationId: 'replayWebhook',
      summary: 'Process a stored webhook again',
      description:
        'Reads the current state from the provider and applies it, as if the webhook arrived now. `dryRun=true` changes nothing and shows what would change. Needs the role `admin`.',
      tag,
      access: 'operator',
      role: 'admin',
      params: idParams,
      query: z.strictObject({ dryRun: booleanFilter }),
      responses: { 200: { description: 'What it changed, or would change', schema: replaySchema } },
      errors: [
        'webhook_not_found',
        'webhook_not_replayable',
        'webhook_unverifiable',
        'connection_disabled',
        'key_unavailable',
        'credential_corrupt',
        'service_busy',
      ],
      answer: async (actor, { params, query }) => {
        const dryRun = query.dryRun ?? false;
        const result = await webhooks.replay(actor, params.id, { dryRun });
        return { eventId: params.id, dryRun, ...result };
      },
    }),
  ];
}
