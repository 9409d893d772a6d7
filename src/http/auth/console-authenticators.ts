import type { Clock } from '../../clock/system-clock';
import { TollgateError } from '../../domain/errors';
import { requireRole } from '../../operators/roles';
import type { Sessions } from '../../operators/session-service';
import type { Memberships } from '../../organizations/membership-service';
import type { ActorFactory } from '../../clock/actors';
import type { Authenticators, Incoming } from '../incoming';
import type { PlatformPrincipal } from '../principals';
import type { SessionCookie } from './session-cookie';
import { workspaceOfQuery } from './workspace-of-query';

/** The console host's kinds of access: a session, a platform administrator's, and a member's of one workspace. */
export function createConsoleAuthenticators(dependencies: {
  sessions: Sessions;
  memberships: Memberships;
  cookie: SessionCookie;
  actorFor: ActorFactory;
  clock: Clock;
}): Required<Pick<Authenticators, 'session' | 'platformAdministrator' | 'operator'>> {
  const { sessions, memberships, cookie, actorFor, clock } = dependencies;

  async function session(incoming: Incoming): Promise<PlatformPrincipal> {
    const live = await sessions.authenticate(cookie.read(incoming.headers));
    return { kind: 'session', ...live, receivedAt: clock.now() };
  }

  return {
    session,

    async platformAdministrator(incoming) {
      const principal = await session(incoming);
      if (!principal.isPlatformAdministrator) {
        throw new TollgateError('platform_administrator_required', 'You are not a platform administrator.');
      }
      return principal;
    },

    async operator(incoming, route) {
      const { operatorId, sessionId } = await session(incoming);
      const scope = workspaceOfQuery(incoming.query);
      const role = await memberships.require(operatorId, scope.workspaceId);
      // A route without a role is a programming error, and is never served.
      if (route.role === undefined) throw new Error(`${route.operationId} declares no role.`);
      requireRole(role, route.role);
      const { ip, requestId } = incoming;
      return {
        kind: 'operator',
        operatorId,
        sessionId,
        role,
        scope,
        actor: () => actorFor({ scope, reason: 'OPERATOR', operatorId, apiKeyId: null, ip, requestId }),
      };
    },
  };
}
