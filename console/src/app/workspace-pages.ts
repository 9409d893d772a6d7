import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspace } from './frame-routes';
import {
  readDecisionSearch,
  readDeliverySearch,
  readGroup,
  readPaymentSearch,
  readSearch,
  readTabOf,
} from './search-params';

const page = <const Path extends string>(path: Path) => ({ getParentRoute: () => workspace, path });

/** Each page is loaded when it is first opened. */
export const workspacePages = [
  createRoute({
    ...page('/'),
    component: lazyRouteComponent(() => import('../pages/home/HomePage'), 'HomePage'),
  }),
  createRoute({
    ...page('/customers'),
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('../pages/customers/CustomersPage'), 'CustomersPage'),
  }),
  createRoute({
    ...page('/customers/$id'),
    component: lazyRouteComponent(() => import('../pages/customer/CustomerPage'), 'CustomerPage'),
  }),
  createRoute({
    ...page('/subscriptions'),
    component: lazyRouteComponent(
      () => import('../pages/subscriptions/SubscriptionsPage'),
      'SubscriptionsPage',
    ),
  }),
  createRoute({
    ...page('/subscriptions/$id'),
    component: lazyRouteComponent(() => import('../pages/subscription/SubscriptionPage'), 'SubscriptionPage'),
  }),
  createRoute({
    ...page('/usage'),
    component: lazyRouteComponent(() => import('../pages/usage/UsagePage'), 'UsagePage'),
  }),
  createRoute({
    ...page('/events'),
    component: lazyRouteComponent(() => import('../pages/events/EventsPage'), 'EventsPage'),
  }),
  createRoute({
    ...page('/commands'),
    component: lazyRouteComponent(() => import('../pages/commands/CommandsPage'), 'CommandsPage'),
  }),
  createRoute({
    ...page('/catalogue'),
    component: lazyRouteComponent(() => import('../pages/catalogue/CataloguePage'), 'CataloguePage'),
  }),
  createRoute({
    ...page('/catalogue/grid'),
    validateSearch: readGroup,
    component: lazyRouteComponent(
      () => import('../pages/catalogue-grid/EntitlementGridPage'),
      'EntitlementGridPage',
    ),
  }),
  createRoute({
    ...page('/catalogue/plans/$id'),
    component: lazyRouteComponent(() => import('../pages/plan/PlanPage'), 'PlanPage'),
  }),
  createRoute({
    ...page('/decisions'),
    validateSearch: readDecisionSearch,
    component: lazyRouteComponent(() => import('../pages/decisions/DecisionsPage'), 'DecisionsPage'),
  }),
  createRoute({
    ...page('/payments'),
    validateSearch: readPaymentSearch,
    component: lazyRouteComponent(() => import('../pages/payments/PaymentsPage'), 'PaymentsPage'),
  }),
  createRoute({
    ...page('/webhooks'),
    validateSearch: readTabOf(['received', 'failures']),
    component: lazyRouteComponent(() => import('../pages/webhooks/WebhooksPage'), 'WebhooksPage'),
  }),
  createRoute({
    ...page('/connections'),
    component: lazyRouteComponent(() => import('../pages/connections/ConnectionsPage'), 'ConnectionsPage'),
  }),
  createRoute({
    ...page('/connections/$id'),
    component: lazyRouteComponent(() => import('../pages/connections/ConnectionPage'), 'ConnectionPage'),
  }),
  createRoute({
    ...page('/members'),
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('../pages/members/MembersPage'), 'MembersPage'),
  }),
  createRoute({
    ...page('/settings'),
    component: lazyRouteComponent(() => import('../pages/settings/SettingsPage'), 'SettingsPage'),
  }),
  createRoute({
    ...page('/developer/api-keys'),
    component: lazyRouteComponent(() => import('../pages/api-keys/ApiKeysPage'), 'ApiKeysPage'),
  }),
  createRoute({
    ...page('/developer/webhooks'),
    component: lazyRouteComponent(
      () => import('../pages/webhook-endpoints/WebhookEndpointsPage'),
      'WebhookEndpointsPage',
    ),
  }),
  createRoute({
    ...page('/developer/webhooks/$id'),
    validateSearch: readDeliverySearch,
    component: lazyRouteComponent(
      () => import('../pages/webhook-endpoint/WebhookEndpointPage'),
      'WebhookEndpointPage',
    ),
  }),
];
