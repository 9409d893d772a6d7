import type { Environment } from '../../domain/environment';
import type { Services } from '../../service/services';
import type { SessionCookie } from '../auth/session-cookie';
import type { Route } from '../route';
import { portalCommandRoutes } from './commands';
import { portalSessionRoutes } from './session';
import { portalViewRoutes } from './view';

/**
 * Routes that the customer's page calls on its own host. They are private to the page: not part of the described API,
 * and not accessible with a key, an operator's session or from another page.
 */
export function portalRoutes(services: Services, host: Environment, cookie: SessionCookie): Route[] {
  return [
    ...portalSessionRoutes(services, host, cookie),
    ...portalViewRoutes(services),
    ...portalCommandRoutes(services),
  ];
}
