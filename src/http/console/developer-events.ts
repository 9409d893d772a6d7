import { z } from 'zod';
import { decisionSchema } from '../../events/decision-resource';
import { idParams, text } from '../../schemas/text';
import type { Services } from '../../service/services';
import { route, type Route } from '../route';
import { eventFilters, eventPage } from '../v1/events';
import { streamDeveloperEvents } from './developer-event-stream';

/** Routes to search and stream the history of developer events. */
export function developerEventRoutes(services: Services): Route[] {
  const { developerEvents } = services;

  const list = route({
    method: 'get',
    path: '/api/developer-events',
    operationId: 'listDeveloperEvents',
    summary: 'List and search developer events',
    description:
      'Newest first. A search reads up to 15,000 events per call (5,000 if a customer or subscription is named) and may return a short page with `hasMore: true`; pass `nextCursor` to search further back.',
    tag: 'Developer events',
    access: 'operator',
    role: 'viewer',
    query: z.strictObject({
      ...eventFilters,
      search: text({ min: 1, max: 200 }).optional().meta({
        description: 'Text in the message or the source (case-insensitive), or the id of an event.',
      }),
    }),
    responses: { 200: { description: 'A page of events.', schema: eventPage } },
    errors: ['cursor_invalid', 'take_invalid'],
    handle: async ({ principal, query }) => ({
      status: 200,
      body: await developerEvents.list({ scope: principal.scope, reason: 'OPERATOR' }, query),
    }),
  });

  const decision = route({
    method: 'get',
    path: '/api/decisions/{id}',
    operationId: 'getDecision',
    summary: 'Read a decision',
    description:
      'Why a check or track was granted or denied: the rule that applied, and quota, usage, period and plan at that time. Kept as long as the events.',
    tag: 'Developer events',
    access: 'operator',
    role: 'viewer',
    params: idParams,
    responses: { 200: { description: 'The decision.', schema: decisionSchema } },
    errors: ['decision_not_found'],
    handle: async ({ principal, params }) => ({
      status: 200,
      body: await developerEvents.decision({ scope: principal.scope, reason: 'OPERATOR' }, params.id),
    }),
  });

  return [list, decision, streamDeveloperEvents(services)];
}
