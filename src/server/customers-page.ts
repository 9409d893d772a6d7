import type { ActorFactory } from '../clock/actors';
import type { Environment } from '../domain/environment';
import { createPortalAuthenticator } from '../http/auth/portal-authenticator';
import { createPortalCookie } from '../http/auth/session-cookie';
import { findPortalPage, portalPage, portalWalls } from '../http/portal/portal-page';
import { portalRoutes } from '../http/portal/routes';
import { PORTAL_ABSOLUTE_MS } from '../portal/portal-session-service';
import type { Services } from '../service/services';

/**
 * Returns what the customer's page adds to an API host: its pages, its routes and their authentication, and the
 * security headers and origin check around them.
 *
 * @param hostUrl the host's public URL
 */
export function customersPage(
  services: Services,
  host: Environment,
  { hostUrl, actorFor }: { hostUrl: string; actorFor: ActorFactory },
) {
  const cookie = createPortalCookie(host, PORTAL_ABSOLUTE_MS / 1_000);
  const directory = findPortalPage();
  return {
    isBuilt: directory !== undefined,
    pages: directory === undefined ? [] : [portalPage(directory)],
    routes: portalRoutes(services, host, cookie),
    authenticator: createPortalAuthenticator(host, services.portal, cookie, actorFor),
    walls: portalWalls(hostUrl),
  };
}
