import type { Clock } from '../../clock/system-clock';
import type { Environment } from '../../domain/environment';
import { TollgateError } from '../../domain/errors';
import { MINUTE_MS } from '../../domain/instant';
import { needsConfirmation } from '../../domain/second-factor';
import { requireRole } from '../../operators/roles';
import type { Sessions } from '../../operators/session-service';
import type { Memberships } from '../../organizations/membership-service';
import type { ActorFactory } from '../../clock/actors';
import type { Authenticators, Incoming } from '../incoming';
import type { PlatformPrincipal } from '../principals';
import type { Route } from '../route';
import type { SessionCookie } from './session-cookie';
import { workspaceOfQuery } from './workspace-of-query';

/** Creates the console host's kinds of access: a session, a platform administrator, and a member of one workspace. */
export function createConsoleAuthenticators(dependencies: {
  sessions: Sessions;
  memberships: Memberships;
  cookie: SessionCookie;
  actorFor: ActorFactory;
  clock: Clock;
  /** How long a confirmation of the second factor stays valid. */
  secondFactorFreshMs: number;
}): Required<Pick<Authenticators, 'session' | 'platformAdministrator' | 'operator'>> {
  const { sessions, memberships, cookie, actorFor, clock, secondFactorFreshMs: freshMs } = dependencies;

  async function session(incoming: Incoming): Promise<PlatformPrincipal> {
    const live = await sessions.authenticate(cookie.read(incoming.headers), incoming.ip);
    return { kind: 'session', ...live, receivedAt: clock.now() };
  }

  /**
   * Requires a recent confirmation of the second factor. Checked last, so that no caller is asked for a code for an
   * action they may not perform anyway.
   */
  function askAgain(
    { stepUp }: Route,
    { secondFactor, receivedAt: now }: PlatformPrincipal,
    environment: Environment | null,
  ): void {
    if (!needsConfirmation(stepUp, environment, secondFactor, { now, freshMs })) return;
    throw new TollgateError(
      'second_factor_required',
      `Your second factor was not confirmed in this session within the last ${freshMs / MINUTE_MS} minutes.`,
    );
  }

  return {
    async session(incoming, route) {
      const principal = await session(incoming);
      askAgain(route, principal, null);
      return principal;
    },

    async platformAdministrator(incoming, route) {
      const principal = await session(incoming);
      if (!principal.isPlatformAdministrator) {
        throw new TollgateError('platform_administrator_required', 'You are not a platform administrator.');
      }
      askAgain(route, principal, null);
      return principal;
    },

    async operator(incoming, route) {
      const principal = await session(incoming);
      const { operatorId, sessionId } = principal;
      const scope = workspaceOfQuery(incoming.query);
      const role = await memberships.require(operatorId, scope.workspaceId);
      // A route without a role is a programming error, and is never served.
      if (route.role === undefined) throw new Error(`${route.operationId} declares no role.`);
      requireRole(
        role,
        scope.environment === 'production' ? (route.roleInProduction ?? route.role) : route.role,
      );
      askAgain(route, principal, scope.environment);
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
