import { createProviderActivities } from '../../activities/refund';
import { systemClock } from '../../src/clock/clock';
import { createConnectedProviders } from '../../src/connections/connected-providers';
import { createKeyRing } from '../../src/credentials/key-ring';
import { openDatabase } from '../../src/db/pools';
import { createProviderRefunds } from '../../src/payments/refund-at-provider';
import { createProviderAdapters } from '../../src/providers/adapters';
import { createWorkerActivities } from '../../src/service/worker-activities';
import { createLogger } from '../../src/telemetry/logger';
import { createTemporalClient } from '../../src/temporal/client';
import { TASK_QUEUES } from '../../src/temporal/task-queues';
import { workflowCode } from '../../src/temporal/workflow-code';
import { runWorkers } from '../../src/temporal/workers';
import { testSecrets } from '../support/service';

/** A worker that ends without a word when a provider has answered a refund, before the answer is written down. */
async function run(): Promise<void> {
  const [address = '', databaseUrl = '', urlA = '', urlB = '', urlC = ''] = process.argv.slice(2);
  const log = createLogger('test', 'silent');
  const clock = systemClock;
  const database = openDatabase(databaseUrl, { max: 3, applicationName: 'dying-worker', log });
  const temporal = { address, namespace: 'default' };
  const client = createTemporalClient(temporal);
  const keyRing = createKeyRing(testSecrets.credentialKeys);
  const providerUrls = { provider_a: urlA, provider_b: urlB, provider_c: urlC };
  const adapters = createProviderAdapters(() => clock.now());
  for (const adapter of Object.values(adapters)) {
    const refundPayment = adapter.refundPayment.bind(adapter);
    adapter.refundPayment = async (...asked) => {
      const answer = await refundPayment(...asked);
      process.kill(process.pid, 'SIGKILL');
      return answer;
    };
  }
  const connected = createConnectedProviders({ database, keyRing, providerUrls, adapters });
  const urls = { sandbox: 'http://sandbox.test', production: 'http://production.test' };
  const activities = createWorkerActivities({ database, client, clock, keyRing, providerUrls, urls });
  const dying = createProviderActivities({
    providerRefunds: createProviderRefunds({ database, clock, connected }),
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
