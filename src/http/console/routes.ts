import type { Services } from '../../service/services';
import type { Route } from '../route';

/** The routes of the console host. */
export function consoleRoutes(services: Services): Route[] {
  void services;
  return [];
}
