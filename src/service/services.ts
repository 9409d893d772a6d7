import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Clock } from '../clock/system-clock';
import type { ClockFollower } from '../sandbox-clock/simulators-clock';
import type { Database } from '../db/pools';
import type { ActorFactory } from '../clock/actors';
import { createApiKeys, type ApiKeys } from '../api-keys/api-key-service';
import { createAudit, type Audit } from '../audit/audit-service';
import { createSandboxClock, type SandboxClock } from '../sandbox-clock/sandbox-clock-service';
import { createCatalog, type Catalog } from '../catalog/create-catalog';
import { createCheckouts, type Checkouts } from '../checkouts/checkout-service';
import { createProviderConnections, type ProviderConnections } from '../connections/connection-service';
import type { ConnectionOpening } from '../connections/open-connection';
import {
  createProviderCredentials,
  type ProviderCredentials,
  type StartMigration,
} from '../connections/credential-migration-service';
import { createCustomers, type Customers } from '../customers/customer-service';
import {
  createReadCustomerEntitlements,
  type ReadCustomerEntitlements,
} from '../customers/customer-entitlements';
import { createCustomerOverviews, type CustomerOverviews } from '../subscriptions/customer-overview';
import { createSubscriptionDrift, type SubscriptionDrift } from '../drift/subscription-drift';
import { createDeveloperEvents, type DeveloperEvents } from '../events/developer-event-service';
import { createEventHub, type EventHub } from '../events/event-hub';
import { createErasures, type Erasures } from '../erasure/erasure-service';
import { createReadOverview, type ReadOverview } from '../overview/overview-service';
import { createIssueResetLink, type IssueResetLink } from '../account-security/issue-reset-link';
import { createSecondFactors, type SecondFactors } from '../account-security/second-factor-service';
import { createResetLinks, type ResetLinks } from '../account-security/use-reset-link';
import { createPortal, type Portal } from '../portal/portal-service';
import { createOperators, type Operators } from '../operators/operator-service';
import { createChangePassword, type ChangePassword } from '../organizations/change-password';
import { createAccessReview, type AccessReview } from '../organizations/access-review';
import { createInvitationAcceptance, type InvitationAcceptance } from '../organizations/accept-invitation';
import { createInvitations, type Invitations } from '../organizations/invitation-service';
import { createMembers, type Members } from '../organizations/member-service';
import { createMemberships, type Memberships } from '../organizations/membership-service';
import { createOrganizations, type Organizations } from '../organizations/organization-service';
import type { CommandSender } from '../operations/command-sender';
import { operationHandlers } from './operation-handlers';
import { createOperationList, type OperationList } from '../operations/list-operations';
import { createOperations, type Operations } from '../subscriptions/commands/operation-service';
import { createPlanPrices } from '../plan-prices/plan-price-service';
import { createPricesAfterChange, type PricesAfterChange } from '../plan-prices/prices-after-change';
import { createExpand, type Expand } from '../expansion/expand';
import { readPlanProviders } from '../plan-prices/plan-providers';
import { rememberNamesOfConnection, rememberPricesOfPlan } from '../plan-prices/remember-prices';
import { createPayments, type Payments } from '../payments/payment-service';
import { createRefunds, type Refunds } from '../payments/refund-service';
import { createSettlements, type Settlements } from '../payments/settlement-service';
import { createChangePreviews, type ChangePreviews } from '../subscriptions/preview-change';
import { createChanges, type Changes } from '../subscriptions/commands/submit-change';
import { createPlatformAudit, type PlatformAudit } from '../platform-audit/platform-audit-service';
import { createRetrySubscription, type RetrySubscription } from '../subscriptions/retry-subscription';
import { createReturnRedirect, type ReturnRedirect } from '../subscriptions/return-redirect';
import { createSubscriptions, type Subscriptions } from '../subscriptions/subscription-service';
import { createTransactions, type Transactions } from '../subscriptions/transaction-service';
import { createSettings, type WorkspaceSettings } from '../settings/settings-service';
import { createDenialCounter } from '../usage/denial-metrics';
import { createUsage, type Usage } from '../usage/submit-usage';
import { createEntities, type Entities } from '../usage-entities/entity-service';
import { createReservations, type Reservations } from '../usage-reservations/reservation-service';
import { createReverseUsage, type ReverseUsage } from '../usage-reversals/reverse-usage';
import type { Slots } from '../rate-limits/slots';
import { createExportLimits } from '../usage-history/export-limits';
import { createUsageEvents, type UsageEvents } from '../usage-history/usage-events';
import { createUsageSeries, type UsageSeries } from '../usage-history/usage-series';
import { createWebhookMessages, type WebhookMessages } from '../webhook-messages/message-service';
import { createMessageStream, type MessageStream } from '../webhook-messages/message-stream';
import { createRenderMessage } from '../webhook-messages/render-message';
import type { AddressRules } from '../domain/webhook-address';
import { createWebhookDeliveryLog, type WebhookDeliveryLog } from '../webhook-endpoints/delivery-log';
import { createWebhookEndpoints, type WebhookEndpoints } from '../webhook-endpoints/endpoint-service';
import { createResolveHost, type ResolveHost } from '../webhook-endpoints/resolve-host';
import { createWebhookResends, type WebhookResends } from '../webhook-endpoints/resends';
import { reconciler } from '../webhooks/webhook-reconciler';
import { createWebhooks, type Webhooks } from '../webhooks/webhook-service';
import type { ProviderAdapters } from '../providers/provider-adapter';

export interface ServiceDependencies extends ConnectionOpening {
  database: Database;
  /** A pool for inbound webhooks, so that a flood of them leaves the other connections free. */
  webhookDatabase: Database;
  /** The hot path's pool, in pipeline mode. */
  pipelined: Pool;
  actorFor: ActorFactory;
  registry: Registry;
  apiKeyPepper: string;
  cursorSecret: string;
  urls: { console: string; sandbox: string; production: string };
  clock: Clock;
  /** Notified when a sandbox with a provider connection was advanced, or one that is ahead got its connection. */
  clockFollower?: ClockFollower;
  /** Sends commands to the subscriptions' workflows. */
  commands: CommandSender;
  /** Adapters of the payment providers that this build supports. */
  providerAdapters: ProviderAdapters;
  /** Whether Temporal answers. */
  temporalState: () => Promise<'reachable' | 'unreachable' | 'not_configured'>;
  /** Starts the workflow that migrates credentials. */
  startMigration: StartMigration;
  /** Where webhooks to integrators may be sent; only to public addresses if omitted. */
  webhookRules?: AddressRules;
  /** Resolves their host names; by the machine's name servers if omitted. */
  resolveHost?: ResolveHost;
  log: Logger;
}

/** All features, wired together. The routes of all hosts call them. */
export interface Services {
  /** Public URLs of the hosts. */
  urls: ServiceDependencies['urls'];
  readOverview: ReadOverview;
  operators: Operators;
  changePassword: ChangePassword;
  secondFactors: SecondFactors;
  issueResetLink: IssueResetLink;
  resetLinks: ResetLinks;
  memberships: Memberships;
  organizations: Organizations;
  members: Members;
  accessReview: AccessReview;
  invitations: Invitations;
  invitationAcceptance: InvitationAcceptance;
  apiKeys: ApiKeys;
  audit: Audit;
  settings: WorkspaceSettings;
  sandboxClock: SandboxClock;
  usage: Usage;
  reverseUsage: ReverseUsage;
  usageSeries: UsageSeries;
  reservations: Reservations;
  entities: Entities;
  usageEvents: UsageEvents;
  /** Limits the exports of uses that run at the same time. */
  exportLimits: Slots;
  developerEvents: DeveloperEvents;
  eventHub: EventHub;
  catalog: Catalog;
  customers: Customers;
  expand: Expand;
  customerOverviews: CustomerOverviews;
  erasures: Erasures;
  readCustomerEntitlements: ReadCustomerEntitlements;
  portal: Portal;
  subscriptions: Subscriptions;
  retrySubscription: RetrySubscription;
  returnRedirect: ReturnRedirect;
  transactions: Transactions;
  checkouts: Checkouts;
  changePreviews: ChangePreviews;
  changes: Changes;
  operations: Operations;
  operationList: OperationList;
  payments: Payments;
  refunds: Refunds;
  settlements: Settlements;
  subscriptionDrift: SubscriptionDrift;
  providerConnections: ProviderConnections;
  pricesAfterChange: PricesAfterChange;
  providerCredentials: ProviderCredentials;
  platformAudit: PlatformAudit;
  webhooks: Webhooks;
  webhookMessages: WebhookMessages;
  messageStream: MessageStream;
  webhookEndpoints: WebhookEndpoints;
  webhookDeliveryLog: WebhookDeliveryLog;
  webhookResends: WebhookResends;
  /** Finishes accepted work and releases timers and streams. */
  stop(): Promise<void>;
}

export function createServices(dependencies: ServiceDependencies): Services {
  const memberships = createMemberships(dependencies.database);
  const operators = createOperators(dependencies);
  const apiKeys = createApiKeys(dependencies);
  const { pipelined, clock } = dependencies;
  const webhooks = createWebhooks(dependencies);
  const operations = createOperations({ ...dependencies, handlers: operationHandlers });
  const planPrices = createPlanPrices(dependencies);
  const catalog = createCatalog({
    ...dependencies,
    rememberPrices: rememberPricesOfPlan,
    readPlanProviders,
  });
  const customers = createCustomers(dependencies);
  const render = createRenderMessage(dependencies);
  const transactions = createTransactions(dependencies);
  const checkouts = createCheckouts({ ...dependencies, planPrices });
  const changePreviews = createChangePreviews(dependencies.database, planPrices);
  const changes = createChanges({ ...dependencies, operations, planPrices });
  const payments = createPayments({ ...dependencies, operations });
  const refunds = createRefunds({ ...dependencies, operations });
  return {
    urls: dependencies.urls,
    readOverview: createReadOverview(dependencies),
    operators,
    changePassword: createChangePassword({ ...dependencies, ...operators }),
    secondFactors: createSecondFactors({ ...dependencies, ...operators }),
    issueResetLink: createIssueResetLink(dependencies),
    resetLinks: createResetLinks({ ...dependencies, sessions: operators.sessions }),
    memberships,
    organizations: createOrganizations({ ...dependencies, memberships }),
    members: createMembers(dependencies.database),
    accessReview: createAccessReview(dependencies.database),
    invitations: createInvitations(dependencies),
    invitationAcceptance: createInvitationAcceptance({ ...dependencies, proof: operators.proof }),
    apiKeys,
    audit: createAudit(dependencies),
    settings: createSettings(dependencies.database),
    sandboxClock: createSandboxClock(dependencies.database, dependencies.clockFollower),
    usage: createUsage(pipelined, clock, createDenialCounter(dependencies.registry)),
    reverseUsage: createReverseUsage(dependencies.database),
    usageSeries: createUsageSeries(dependencies),
    reservations: createReservations(dependencies),
    entities: createEntities(dependencies),
    usageEvents: createUsageEvents(dependencies),
    exportLimits: createExportLimits(),
    catalog,
    customers,
    expand: createExpand(customers, catalog.plans),
    erasures: createErasures(dependencies),
    customerOverviews: createCustomerOverviews(dependencies.database),
    readCustomerEntitlements: createReadCustomerEntitlements(dependencies.database),
    subscriptions: createSubscriptions(dependencies),
    retrySubscription: createRetrySubscription(dependencies.database),
    returnRedirect: createReturnRedirect(dependencies),
    transactions,
    checkouts,
    changePreviews,
    changes,
    operations,
    operationList: createOperationList(dependencies),
    payments,
    portal: createPortal({
      ...dependencies,
      operations,
      changes,
      changePreviews,
      checkouts,
      transactions,
      payments,
      refunds,
      plans: catalog.plans,
    }),
    refunds,
    settlements: createSettlements({ ...dependencies, reconciler }),
    subscriptionDrift: createSubscriptionDrift({ ...dependencies, operations }),
    providerConnections: createProviderConnections({
      ...dependencies,
      planPrices,
      rememberNames: rememberNamesOfConnection,
    }),
    pricesAfterChange: createPricesAfterChange(planPrices, dependencies.log),
    providerCredentials: createProviderCredentials(dependencies),
    platformAudit: createPlatformAudit(dependencies),
    webhooks,
    webhookMessages: createWebhookMessages({ ...dependencies, render }),
    messageStream: createMessageStream({ ...dependencies, render }),
    webhookEndpoints: createWebhookEndpoints({
      ...dependencies,
      rules: dependencies.webhookRules ?? { allowsLoopback: false },
      resolveHost: dependencies.resolveHost ?? createResolveHost(),
    }),
    webhookDeliveryLog: createWebhookDeliveryLog(dependencies),
    webhookResends: createWebhookResends(dependencies),
    developerEvents: createDeveloperEvents(dependencies),
    eventHub: createEventHub(dependencies),
    stop: async () => {
      await Promise.all([apiKeys.stop(), webhooks.stop()]);
    },
  };
}
