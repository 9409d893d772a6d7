import type { ActorFactory } from '../../clock/actors';
import type { Environment } from '../../domain/environment';
import type { Portal } from '../../portal/portal-service';
import type { Incoming } from '../incoming';
import type { PortalPrincipal } from '../principals';
import type { SessionCookie } from './session-cookie';

/** Query parameter of a poll for changes, which does not count as use of the session. */
export const WATCHING = 'watching';

/** Creates the `portal` access of one API host: a customer's session there. */
export function createPortalAuthenticator(
  host: Environment,
  { sessions, throttle }: Pick<Portal, 'sessions' | 'throttle'>,
  cookie: SessionCookie,
  actorFor: ActorFactory,
) {
  return async ({ headers, query, requestId }: Incoming): Promise<PortalPrincipal> => {
    const isUse = !query.has(WATCHING);
    const visitor = await sessions.authenticate(cookie.read(headers), host, { isUse });
    throttle.ask(visitor.sessionId);
    const { scope } = visitor;
    return {
      kind: 'portal',
      visitor,
      scope,
      // No address: a customer's address would stay in records that an erasure keeps.
      actor: () =>
        actorFor({ scope, reason: 'CUSTOMER', operatorId: null, apiKeyId: null, ip: null, requestId }),
    };
  };
}
