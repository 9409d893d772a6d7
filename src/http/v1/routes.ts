import type { Services } from '../../service/services';
import type { Route } from '../route';

/** The routes of the sandbox and production API hosts. */
export function apiRoutes(services: Services): Route[] {
  void services;
  return [];
}
