import { z } from 'zod';
import { decisionSchema } from '../../events/decision-resource';
import { EVENT_STATUSES, EVENT_TYPES } from '../../domain/event-types';
import { developerEventSchema } from '../../events/developer-event-resource';
import type { DeveloperEvents } from '../../events/developer-event-service';
import { cursorSchema, pageSchema, takeSchema } from '../../pagination/page-schema';
import { instantInput } from '../../schemas/instant';
import { customerFilters, idFilter } from '../../schemas/id-filter';
import { identifier, idParams } from '../../schemas/text';
import { route, type Route } from '../route';

/** Filters shared by the lists for keys and for operators. */
export const eventFilters = {
  eventType: z
    .enum(EVENT_TYPES, { error: `is not one of ${EVENT_TYPES.join(', ')}` })
    .optional()
    .meta({ description: 'Only events of this type.' }),
  status: z
    .enum(EVENT_STATUSES, { error: `is not one of ${EVENT_STATUSES.join(', ')}` })
    .optional()
    .meta({ description: 'Only events with this status.' }),
  decisionId: identifier.optional().meta({ description: 'Only the event of this check or track.' }),
  requestId: identifier
    .optional()
    .meta({ description: 'Only events of the request with this `Request-Id`.' }),
  ...customerFilters,
  subscriptionId: idFilter('subscription'),
  from: instantInput
    .optional()
    .meta({ description: 'Only events with a `createdAt` at this time or later.' }),
  to: instantInput.optional().meta({ description: 'Only events with a `createdAt` before this time.' }),
  take: takeSchema,
  cursor: cursorSchema,
};

/** A page of the history. */
export const eventPage = pageSchema(developerEventSchema).meta({ id: 'DeveloperEventPage' });

/** Routes by which an integrator reads the history with a key. */
export function eventRoutes(events: DeveloperEvents): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/events',
      operationId: 'listEvents',
      summary: 'List events',
      description:
        'The history of the workspace and environment that the key belongs to, newest first. While `hasMore` is true, pass `nextCursor` as `cursor` to read on; a page may then be shorter than `take`.',
      tag: 'Events',
      access: 'apiKey',
      scopes: { anyOf: ['events'] },
      query: z.strictObject(eventFilters),
      responses: { 200: { description: 'A page of events.', schema: eventPage } },
      errors: ['cursor_invalid', 'take_invalid'],
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await events.list({ scope: principal.scope, reason: 'API_KEY' }, query),
      }),
    }),
    route({
      method: 'get',
      path: '/v1/decisions/{id}',
      operationId: 'getDecision',
      summary: 'Read a decision',
      description:
        'Why a check or track was granted or denied: the rule that applied, and quota, usage, period and plan at that time. Kept as long as the events.',
      tag: 'Events',
      access: 'apiKey',
      scopes: { anyOf: ['events'] },
      params: idParams,
      responses: { 200: { description: 'The decision.', schema: decisionSchema } },
      errors: ['decision_not_found'],
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await events.decision({ scope: principal.scope, reason: 'API_KEY' }, params.id),
      }),
    }),
  ];
}
