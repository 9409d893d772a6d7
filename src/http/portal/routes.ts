import type { Environment } from '../../domain/environment';
import type { Services } from '../../service/services';
import type { SessionCookie } from '../auth/session-cookie';
import type { Route } from '../route';
import { portalCommandRoutes } from './commands';
import { portalSessionRoutes } from './session';
import { portalViewRoutes } from './view';

/**
 * What the customer's page calls on its own host. It is the page's alone: no part of the described API, and another page,
 * another key or an operator's session opens none of it.
 */
export function portalRoutes(services: Services, host: Environment, cookie: SessionCookie): Route[] {
  return [
    ...portalSessionRoutes(services, host, cookie),
    ...portalViewRoutes(services),
    ...portalCommandRoutes(services),
  ];
}
