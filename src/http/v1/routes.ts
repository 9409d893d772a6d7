import type { Environment } from '../../domain/environment';
import type { Services } from '../../service/services';
import { keyMounts } from '../mounted-route';
import type { Route } from '../route';
import { workspaceRoutes } from '../workspace/routes';
import { checkoutReturnRoutes } from './checkout-return';
import { customerRoutes } from './customers';
import { eventRoutes } from './events';
import { portalSessionRoutes } from './portal-sessions';
import { usageRoutes } from './usage';
import { usageBatchRoutes } from './usage-batch';
import { webhookMessageRoutes } from './webhook-messages';
import { webhookRoutes } from './webhooks';

/** The routes of the sandbox and production API hosts. */
export function apiRoutes(services: Services, environment: Environment): Route[] {
  return [
    ...usageRoutes(services.usage),
    ...usageBatchRoutes(services.usage),
    ...customerRoutes(services),
    ...portalSessionRoutes(services),
    // Declared before the message by its id, which would take `stream` for one.
    ...webhookMessageRoutes(services, environment),
    ...keyMounts(workspaceRoutes(services)),
    ...eventRoutes(services.developerEvents),
    ...webhookRoutes(services, environment),
    ...checkoutReturnRoutes(services, environment),
  ];
}
