import type { Client } from '@temporalio/client';
import { createActivities, type Activities } from '../../activities';
import { createCheckoutTimers } from '../checkouts/checkout-timers';
import { createProviderCheckouts } from '../checkouts/provider-checkouts';
import type { Clock } from '../clock/system-clock';
import { createConnectedProviders } from '../connections/connected-providers';
import { listConnectionPlaces } from '../connections/credential-migration-store';
import { createCredentialMigrationSteps } from '../connections/credential-migration-steps';
import type { ConnectionOpening } from '../connections/open-connection';
import { createKeyRing, NO_KEYS, type KeyRing } from '../credentials/key-ring';
import type { Database } from '../db/pools';
import { createDriftReports } from '../drift/drift-reports';
import type { Environment } from '../domain/environment';
import { operationHandlers } from './operation-handlers';
import { createOperationRunner } from '../subscriptions/commands/operation-service';
import { createProviderRefunds } from '../payments/refund-at-provider';
import { createRefundSteps } from '../payments/refund-steps';
import { createSettlementCollection } from '../payments/settlement-collection';
import { createProviderAdapters } from './provider-adapters';
import type { ProviderAdapters } from '../providers/provider-adapter';
import { createProviderSubscriptions } from '../subscriptions/at-provider/provider-subscriptions';
import { createErasureSteps } from '../erasure/erasure-steps';
import { createRescheduling } from '../subscriptions/reschedule';
import { createSubscriptionSteps } from '../subscriptions/subscription-steps';
import { createOverdueWakes } from '../../activities/overdue-wake-store';
import { createWorkflowSignals } from '../temporal/workflow-signals';
import { reconciler } from '../webhooks/webhook-reconciler';

/** Creates the activities of a worker's workflows, over the features. */
export function createWorkerActivities(options: {
  database: Database;
  client: Client;
  clock: Clock;
  /** Opens and seals the secrets of provider connections. */
  keyRing?: KeyRing;
  /** URLs of simulators that replace the providers' own; none in production mode. */
  providerUrls?: ConnectionOpening['providerUrls'];
  /** Public URLs of the API's hosts. */
  urls: { sandbox: string; production: string };
  /** Adapters of this process, in place of those with default limits. */
  providerAdapters?: ProviderAdapters;
  /** Window over which production's renewals at the same instant are spread (milliseconds); none if omitted. */
  renewalSpreadMs?: number;
}): Activities {
  const {
    database,
    client,
    clock,
    keyRing = createKeyRing(NO_KEYS),
    providerUrls = {},
    urls,
    renewalSpreadMs = 0,
    providerAdapters: adapters = createProviderAdapters(() => clock.now()),
  } = options;
  const connected = createConnectedProviders({ database, keyRing, providerUrls, adapters });
  const returnUrl = (environment: Environment): string => `${urls[environment]}/checkout/return`;
  const operations = createOperationRunner({ database, clock, handlers: operationHandlers });
  return createActivities({
    subscriptionSteps: createSubscriptionSteps({ database, clock, commands: operations }),
    operations,
    checkoutTimers: createCheckoutTimers({ database, clock, commands: operations }),
    providerCheckouts: createProviderCheckouts({ database, clock, connected, reconciler }),
    refundSteps: createRefundSteps({ database, clock }),
    providerRefunds: createProviderRefunds({ database, clock, connected, reconciler }),
    providerSubscriptions: createProviderSubscriptions({
      database,
      clock,
      connected,
      reconciler,
      returnUrl,
      repair: operationHandlers.repair,
    }),
    listConnections: (after, limit) => listConnectionPlaces(database, after, limit),
    settlementCollection: createSettlementCollection({
      database,
      keyRing,
      providerUrls,
      providerAdapters: adapters,
      clock,
      reconciler,
    }),
    driftReports: createDriftReports({ database, keyRing, providerUrls, providerAdapters: adapters, clock }),
    credentialMigration: createCredentialMigrationSteps({ database, keyRing, clock }),
    renewalSpreadMs,
    overdueWakes: createOverdueWakes(database),
    rescheduling: createRescheduling({ database }),
    erasureSteps: createErasureSteps({ database, clock }),
    signals: createWorkflowSignals(client, clock),
  });
}
