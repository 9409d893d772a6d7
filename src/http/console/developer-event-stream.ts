import { z } from 'zod';
import { fromStreamId } from '../../events/stream-position';
import type { Sessions } from '../../operators/session-service';
import type { Memberships } from '../../organizations/membership-service';
import type { Services } from '../../service/services';
import { route, type Route } from '../route';
import type { OperatorPrincipal } from '../principals';
import { openEventStream } from '../event-stream';

/**
 * The route of the live stream. The transactions that authorize the operator and find the start end before the
 * connection becomes a stream.
 */
export function streamDeveloperEvents({
  eventHub,
  memberships,
  operators: { sessions },
}: Pick<Services, 'eventHub' | 'memberships' | 'operators'>): Route {
  return route({
    method: 'get',
    path: '/api/developer-events/stream',
    operationId: 'streamDeveloperEvents',
    summary: 'Listen to developer events',
    description:
      'Server-sent events. The `data` of a `message` is an event as in the list. `gap`: events were skipped, read the list. `end`: the session or membership has ended, or the service is restarting. `heartbeat`: every 15 seconds. Resumes from `Last-Event-ID` within 24 hours. Limits per process: 20 open streams for an operator, 100 for an organization.',
    tag: 'Developer events',
    access: 'operator',
    role: 'viewer',
    responses: { 200: { description: 'The stream.', contentType: 'text/event-stream', schema: z.string() } },
    errors: ['service_busy', 'too_many_streams'],
    handle: async ({ principal, headers }) => {
      const { scope, operatorId } = principal;
      // Reads in a transaction that ends before the stream opens.
      const start = await eventHub.start(scope, operatorId, lastPosition(headers['last-event-id']));
      const isAllowed = (): Promise<boolean> => stillAllowed(sessions, memberships, principal);
      const authorization = { openedBy: principal.sessionId, isAllowed };
      return {
        status: 200,
        stream: (request, response) =>
          openEventStream(
            eventHub,
            { scope, callerId: operatorId, start, authorization, isForBrowser: true },
            request,
            response,
          ),
      };
    },
  });
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
