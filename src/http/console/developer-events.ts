import { z } from 'zod';
import { decisionSchema } from '../../events/decision-resource';
import { fromStreamId } from '../../events/stream-position';
import type { Sessions } from '../../operators/sessions';
import type { Memberships } from '../../organizations/memberships';
import { idParams, text } from '../../schemas/text';
import type { Services } from '../../service/services';
import { route, type Route } from '../route';
import type { OperatorPrincipal } from '../auth/principals';
import { eventFilters, eventPage } from '../v1/events';
import { openEventStream } from './event-stream';

const tag = 'Developer events';

/** The history that operators search, and its live stream. */
export function developerEventRoutes(services: Services): Route[] {
  const { developerEvents, eventHub, memberships } = services;
  const { sessions } = services.operators;

  const list = route({
    method: 'get',
    path: '/api/developer-events',
    operationId: 'listDeveloperEvents',
    summary: 'List and search developer events',
    description:
      'Newest first. A search looks at up to 50,000 events a call and may answer a short page with `hasMore: true`; pass `nextCursor` on to search further back.',
    tag,
    access: 'operator',
    role: 'viewer',
    query: z.strictObject({
      ...eventFilters,
      search: text({ min: 1, max: 200 })
        .optional()
        .meta({ description: 'Text that the message or the source contains, without regard to case.' }),
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
    summary: 'Look a decision up',
    description:
      'Why a check or track was granted or denied: the rule that decided, and quota, usage, period and plan as they were then. Kept as long as the events.',
    tag,
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

  const stream = route({
    method: 'get',
    path: '/api/developer-events/stream',
    operationId: 'streamDeveloperEvents',
    summary: 'Listen to developer events',
    description:
      'Server-sent events. The `data` of a `message` is an event as the list has it. `gap`: events were left out, read the list. `end`: the session or membership has ended, or the service restarts. Resumes by `Last-Event-ID` within 24 hours. An operator has at most 20 streams of a process open, an organization 100.',
    tag,
    access: 'operator',
    role: 'viewer',
    responses: { 200: { description: 'The stream.', contentType: 'text/event-stream', schema: z.string() } },
    errors: ['service_busy', 'too_many_streams'],
    handle: async ({ principal, headers }) => {
      const { scope, operatorId } = principal;
      // Its transaction is closed before the stream opens.
      const start = await eventHub.start(scope, operatorId, lastPosition(headers['last-event-id']));
      const isAllowed = (): Promise<boolean> => stillAllowed(sessions, memberships, principal);
      const right = { sessionId: principal.sessionId, isAllowed };
      return {
        status: 200,
        stream: (request, response) =>
          openEventStream(eventHub, { scope, operatorId, start, right }, request, response),
      };
    },
  });

  return [list, decision, stream];
}

function lastPosition(header: string | string[] | undefined): ReturnType<typeof fromStreamId> | null {
  const id = typeof header === 'string' ? header : header?.[0];
  return id === undefined || id === '' ? null : fromStreamId(id);
}

async function stillAllowed(
  sessions: Sessions,
  memberships: Memberships,
  principal: OperatorPrincipal,
): Promise<boolean> {
  if (!(await sessions.isLive(principal.operatorId, principal.sessionId))) return false;
  return (await memberships.roleIn(principal.operatorId, principal.scope.workspaceId)) !== null;
}
