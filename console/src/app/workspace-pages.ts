import { createRoute } from '@tanstack/react-router';
import { workspace } from './frame-routes';
import { lazyPage } from './lazy-page';
import {
  readCommandSearch,
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
    component: lazyPage(() => import('../pages/home/HomePage'), 'HomePage'),
  }),
  createRoute({
    ...page('/customers'),
    validateSearch: readSearch,
    component: lazyPage(() => import('../pages/customers/CustomersPage'), 'CustomersPage'),
  }),
  createRoute({
    ...page('/customers/$id'),
    component: lazyPage(() => import('../pages/customer/CustomerPage'), 'CustomerPage'),
  }),
  createRoute({
    ...page('/subscriptions'),
    component: lazyPage(() => import('../pages/subscriptions/SubscriptionsPage'), 'SubscriptionsPage'),
  }),
  createRoute({
    ...page('/subscriptions/$id'),
    component: lazyPage(() => import('../pages/subscription/SubscriptionPage'), 'SubscriptionPage'),
  }),
  createRoute({
    ...page('/usage'),
    component: lazyPage(() => import('../pages/usage/UsagePage'), 'UsagePage'),
  }),
  createRoute({
    ...page('/events'),
    component: lazyPage(() => import('../pages/events/EventsPage'), 'EventsPage'),
  }),
  createRoute({
    ...page('/commands'),
    validateSearch: readCommandSearch,
    component: lazyPage(() => import('../pages/commands/CommandsPage'), 'CommandsPage'),
  }),
  createRoute({
    ...page('/catalogue'),
    component: lazyPage(() => import('../pages/catalogue/CataloguePage'), 'CataloguePage'),
  }),
  createRoute({
    ...page('/catalogue/grid'),
    validateSearch: readGroup,
    component: lazyPage(() => import('../pages/catalogue-grid/EntitlementGridPage'), 'EntitlementGridPage'),
  }),
  createRoute({
    ...page('/catalogue/plans/$id'),
    component: lazyPage(() => import('../pages/plan/PlanPage'), 'PlanPage'),
  }),
  createRoute({
    ...page('/decisions'),
    validateSearch: readDecisionSearch,
    component: lazyPage(() => import('../pages/decisions/DecisionsPage'), 'DecisionsPage'),
  }),
  createRoute({
    ...page('/payments'),
    validateSearch: readPaymentSearch,
    component: lazyPage(() => import('../pages/payments/PaymentsPage'), 'PaymentsPage'),
  }),
  createRoute({
    ...page('/webhooks'),
    validateSearch: readTabOf(['received', 'failures']),
    component: lazyPage(() => import('../pages/webhooks/WebhooksPage'), 'WebhooksPage'),
  }),
  createRoute({
    ...page('/connections'),
    component: lazyPage(() => import('../pages/connections/ConnectionsPage'), 'ConnectionsPage'),
  }),
  createRoute({
    ...page('/connections/$id'),
    component: lazyPage(() => import('../pages/connections/ConnectionPage'), 'ConnectionPage'),
  }),
  createRoute({
    ...page('/members'),
    validateSearch: readSearch,
    component: lazyPage(() => import('../pages/members/MembersPage'), 'MembersPage'),
  }),
  createRoute({
    ...page('/settings'),
    component: lazyPage(() => import('../pages/settings/SettingsPage'), 'SettingsPage'),
  }),
  createRoute({
    ...page('/developer/api-keys'),
    component: lazyPage(() => import('../pages/api-keys/ApiKeysPage'), 'ApiKeysPage'),
  }),
  createRoute({
    ...page('/developer/webhooks'),
    component: lazyPage(
      () => import('../pages/webhook-endpoints/WebhookEndpointsPage'),
      'WebhookEndpointsPage',
    ),
  }),
  createRoute({
    ...page('/developer/webhooks/$id'),
    validateSearch: readDeliverySearch,
    component: lazyPage(() => import('../pages/webhook-endpoint/WebhookEndpointPage'), 'WebhookEndpointPage'),
  }),
];
