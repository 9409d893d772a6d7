import { z } from 'zod';
import { pageSchema } from '../../pagination/page-schema';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { seriesQuery, seriesSchema } from '../../usage-history/series-resource';
import {
  exportUsageEventsQuery,
  listUsageEventsQuery,
  usageEventSchema,
} from '../../usage-history/usage-event-resource';
import { mountedRoute, type MountedRoute } from '../mounted-route';
import { EXPORT_TYPES, sendExport } from './usage-export';

const tag = 'Usage';

/** `/v1/usage/…` and `/api/billing/usage/…`: usage over time, and individual uses. */
export function usageHistoryRoutes({
  usageEvents,
  usageSeries,
  exportLimits,
}: Pick<Services, 'usageEvents' | 'usageSeries' | 'exportLimits'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'get',
      operationId: 'readUsageSeries',
      summary: 'Read usage over time',
      description:
        'Sums by hour, day or month of a time zone, over everything recorded so far: late usage counts at the time of use, and reversed usage is excluded. At most 1,000 points, counting `limit` groups and one for the others.',
      tag,
      console: { path: '/api/billing/usage/series', role: 'viewer' },
      v1: { path: '/v1/usage/series', scopes: { anyOf: ['read'] } },
      query: seriesQuery,
      responses: { 200: { description: 'The series', schema: seriesSchema } },
      errors: ['series_too_long', 'feature_not_found', 'customer_not_found', 'dimension_not_declared'],
      answer: (actor, { query }) => usageSeries.read(actor, query),
    }),
    mountedRoute({
      method: 'get',
      operationId: 'listUsageEvents',
      summary: 'List usage events',
      description: 'Newest first, by time of use.',
      tag,
      console: { path: '/api/billing/usage/events', role: 'viewer' },
      v1: { path: '/v1/usage/events', scopes: { anyOf: ['read'] } },
      query: listUsageEventsQuery,
      responses: { 200: { description: 'A page of usage events', schema: pageSchema(usageEventSchema) } },
      errors: ['cursor_invalid', 'feature_not_found', 'customer_not_found'],
      answer: (actor, { query }) => usageEvents.list(actor, query),
    }),
    mountedRoute({
      method: 'get',
      operationId: 'getUsageEvent',
      summary: 'Read a usage event',
      tag,
      console: { path: '/api/billing/usage/events/{id}', role: 'viewer' },
      v1: { path: '/v1/usage/events/{id}', scopes: { anyOf: ['read'] } },
      params: idParams,
      responses: { 200: { description: 'The usage event', schema: usageEventSchema } },
      errors: ['usage_event_not_found'],
      answer: (actor, { params }) => usageEvents.get(actor, params.id),
    }),
    mountedRoute({
      method: 'get',
      operationId: 'exportUsageEvents',
      summary: 'Export usage events',
      description:
        'All usage events up to now (or `to`), oldest first, one per line, streamed. Each line has a `cursor`: if the connection is lost, send the cursor of the last complete line as `after`, with the same filters, to get the rest (a CSV without its header). A response that ends normally is complete. Late usage recorded during the export, with a time before the current line, is in the next export. Limits per process: 5 exports in progress for a key or an operator, 10 for an organization.',
      tag,
      console: { path: '/api/billing/usage/export', role: 'viewer' },
      v1: { path: '/v1/usage/export', scopes: { anyOf: ['read'] } },
      query: exportUsageEventsQuery,
      compress: false,
      responses: {
        200: {
          description: 'The usage events',
          schema: z.string(),
          contentType: EXPORT_TYPES.ndjson,
          otherType: 'text/csv',
        },
      },
      errors: [
        'cursor_invalid',
        'feature_not_found',
        'customer_not_found',
        'too_many_exports',
        'service_busy',
      ],
      handle: async (actor, { query, principal, reauthenticate }) => {
        const { workspaceId } = actor.scope;
        const callerId = principal.kind === 'api_key' ? principal.apiKeyId : principal.operatorId;
        exportLimits.assertFree({ workspaceId, callerId });
        const parts = await usageEvents.export(actor, query);
        const form = { format: query.format, hasHeader: query.after === undefined };
        return {
          status: 200,
          headers: { 'Content-Type': EXPORT_TYPES[query.format] },
          stream: async (_, response) => {
            const leave = exportLimits.take({ workspaceId, callerId });
            try {
              await sendExport(response, parts, form, reauthenticate);
            } finally {
              leave();
            }
          },
        };
      },
    }),
  ];
}
