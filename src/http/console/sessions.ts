import { TollgateError } from '../../domain/errors';
import { completeList, completeListSchema } from '../../pagination/complete-list';
import { sessionSchema, toSessionResource } from '../../operators/operator-resource';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { route, type Route } from '../route';

const tag = 'Authentication';

/** Routes to list and end one's own sessions. */
export function sessionRoutes({ operators: { sessions, endSession } }: Services): Route[] {
  const list = route({
    method: 'get',
    path: '/api/auth/sessions',
    operationId: 'listSessions',
    summary: 'Your sessions',
    description: 'Those that are still valid, newest first.',
    tag,
    access: 'session',
    responses: {
      200: {
        description: 'The sessions.',
        schema: completeListSchema(sessionSchema),
      },
    },
    handle: async ({ principal }) => {
      const rows = await sessions.list(principal.operatorId);
      return {
        status: 200,
        body: completeList(rows.map((row) => toSessionResource(row, principal.sessionId))),
      };
    },
  });

  const revoke = route({
    method: 'delete',
    path: '/api/auth/sessions/{id}',
    operationId: 'revokeSession',
    summary: 'End one of your sessions',
    tag,
    access: 'session',
    params: idParams,
    responses: { 204: { description: 'Ended, in every process at once.' } },
    errors: ['session_not_found', 'origin_forbidden'],
    handle: async ({ principal: { operatorId, receivedAt }, params, ip }) => {
      const ended = await endSession({ operatorId, receivedAt, ip }, params.id);
      if (!ended)
        throw new TollgateError('session_not_found', 'No session of yours that can be used has this id.');
      return { status: 204 };
    },
  });

  return [list, revoke];
}
