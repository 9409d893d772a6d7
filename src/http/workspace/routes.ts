import type { Services } from '../../service/services';
import type { MountedRoute } from '../mounted-route';
import { checkoutRoutes } from './checkouts';
import { creditRoutes } from './credits';
import { customerErasureRoutes } from './customer-erasures';
import { customerPortalSessionRoutes } from './customer-portal-sessions';
import { customerRoutes } from './customers';
import { featureRoutes } from './features';
import { operationRoutes } from './operations';
import { paymentRoutes } from './payments';
import { planRoutes } from './plans';
import { refundRoutes } from './refunds';
import { subscriptionCommandRoutes } from './subscription-commands';
import { subscriptionRoutes } from './subscriptions';
import { transactionRoutes } from './transactions';
import { usageEntityRoutes } from './usage-entities';
import { usageReservationRoutes } from './usage-reservations';
import { usageReversalRoutes } from './usage-reversals';
import { usageHistoryRoutes } from './usage-history';
import { webhookDeliveryRoutes } from './webhook-deliveries';
import { webhookEndpointRoutes } from './webhook-endpoints';
import { webhookMessageRoute } from './webhook-messages';

/** Routes shared by operators and applications, each declared once. */
export function workspaceRoutes(services: Services): MountedRoute[] {
  return [
    ...planRoutes(services),
    ...featureRoutes(services),
    ...customerRoutes(services),
    ...customerErasureRoutes(services),
    ...creditRoutes(services),
    ...customerPortalSessionRoutes(services),
    ...subscriptionRoutes(services),
    ...transactionRoutes(services),
    ...checkoutRoutes(services),
    ...subscriptionCommandRoutes(services),
    ...operationRoutes(services),
    ...paymentRoutes(services),
    ...refundRoutes(services),
    ...usageReversalRoutes(services),
    ...usageHistoryRoutes(services),
    ...usageReservationRoutes(services),
    ...usageEntityRoutes(services),
    ...webhookEndpointRoutes(services),
    ...webhookDeliveryRoutes(services),
    webhookMessageRoute(services),
  ];
}
