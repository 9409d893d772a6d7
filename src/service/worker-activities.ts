import type { Client } from '@temporalio/client';
import { createActivities, type Activities } from '../../activities';
import { createCheckoutClockwork } from '../checkouts/checkout-clockwork';
import type { Clock } from '../clock/clock';
import { createCredentialMigrationSteps } from '../connections/credential-migration-steps';
import { createKeyRing, NO_KEYS, type KeyRing } from '../credentials/key-ring';
import type { Database } from '../db/pools';
import { operationHandlers } from '../operations/operation-handlers';
import { createOperationRuns } from '../operations/operations';
import { createRefundSteps } from '../payments/refund-steps';
import { createProviders } from '../providers/providers';
import { createSubscriptionSteps } from '../subscriptions/subscription-steps';
import { createOverdueWakes } from '../temporal/overdue-wake-store';
import { createPokes } from '../temporal/pokes';

/** What a worker does for its workflows, over the features. */
export function createWorkerActivities(options: {
  database: Database;
  client: Client;
  clock: Clock;
  /** What opens and seals the secrets of provider connections. */
  keyRing?: KeyRing;
}): Activities {
  const { database, client, clock, keyRing = createKeyRing(NO_KEYS) } = options;
  return createActivities({
    subscriptionSteps: createSubscriptionSteps({ database, clock }),
    operations: createOperationRuns({ database, clock, handlers: operationHandlers }),
    checkouts: createCheckoutClockwork({ database, clock }),
    refundSteps: createRefundSteps({ database, clock }),
    providers: createProviders(),
    credentialMigration: createCredentialMigrationSteps({ database, keyRing, clock }),
    overdueWakes: createOverdueWakes(database),
    pokes: createPokes(client, clock),
    clock,
  });
}
