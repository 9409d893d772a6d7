import { createProviderSubscriptionActivities } from '../../activities/subscription-at-provider';
import { systemClock } from '../../src/clock/clock';
import { createConnectedProviders } from '../../src/connections/connected-providers';
import { createKeyRing } from '../../src/credentials/key-ring';
import { openDatabase } from '../../src/db/pools';
import { createProviderAdapters } from '../../src/providers/adapters';
import { createWorkerActivities } from '../../src/service/worker-activities';
import { createProviderSubscriptions } from '../../src/subscriptions/at-provider/provider-subscriptions';
import { createLogger } from '../../src/telemetry/logger';
import { createTemporalClient } from '../../src/temporal/client';
import { TASK_QUEUES } from '../../src/temporal/task-queues';
import { workflowCode } from '../../src/temporal/workflow-code';
import { runWorkers } from '../../src/temporal/workers';
import { testSecrets } from '../support/service';
import { TEST_URLS } from './installation';

/**
 * A worker that never writes down what a provider has answered to a change or a cancel: it says on its output which
 * provider it was, and waits to be killed.
 */
async function run(): Promise<void> {
  const [address = '', databaseUrl = '', urlA = '', urlB = '', urlC = ''] = process.argv.slice(2);
  const log = createLogger('test', 'silent');
  const clock = systemClock;
  const database = openDatabase(databaseUrl, { max: 4, applicationName: 'dying-worker', log });
  const temporal = { address, namespace: 'default' };
  const client = createTemporalClient(temporal);
  const keyRing = createKeyRing(testSecrets.credentialKeys);
  const providerUrls = { provider_a: urlA, provider_b: urlB, provider_c: urlC };
  const adapters = createProviderAdapters(() => clock.now());
  for (const adapter of Object.values(adapters)) {
    const answered = <Asked extends unknown[], Answer>(call: (...asked: Asked) => Promise<Answer>) => {
      return async (...asked: Asked): Promise<Answer> => {
        await call(...asked);
        process.stdout.write(`${adapter.provider} has answered\n`);
        return new Promise(() => undefined);
      };
    };
    adapter.changeSubscription = answered(adapter.changeSubscription.bind(adapter));
    adapter.cancelSubscription = answered(adapter.cancelSubscription.bind(adapter));
  }
  const connected = createConnectedProviders({ database, keyRing, providerUrls, adapters });
  const activities = createWorkerActivities({
    database,
    client,
    clock,
    keyRing,
    providerUrls,
    urls: TEST_URLS,
  });
  const returnUrl = (): string => 'https://shop.example/back';
  const dying = createProviderSubscriptionActivities({
    providerSubscriptions: createProviderSubscriptions({ database, clock, connected, returnUrl }),
  });
  const running = runWorkers(
    {
      ...{ temporal, client, clock, log, queues: TASK_QUEUES, code: workflowCode(false) },
      activities: { ...activities, providers: { ...activities.providers, ...dying } },
    },
    new AbortController().signal,
  );
  process.stdout.write('working\n');
  await running;
}

void run();
