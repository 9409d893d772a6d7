import type { Services } from '../../service/services';
import type { Route } from '../route';
import { customerRoutes } from './customers';
import { eventRoutes } from './events';
import { usageRoutes } from './usage';

/** The routes of the sandbox and production API hosts. */
export function apiRoutes(services: Services): Route[] {
  return [
    ...usageRoutes(services.usage),
    ...customerRoutes(services),
    ...eventRoutes(services.developerEvents),
  ];
}
