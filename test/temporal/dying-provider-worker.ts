import { systemClock } from '../../src/clock/system-clock';
import { createKeyRing } from '../../src/credentials/key-ring';
import { openDatabase } from '../../src/db/pools';
import { createWorkerActivities } from '../../src/service/worker-activities';
import { createLogger } from '../../src/telemetry/logger';
import { createTemporalClient } from '../../src/temporal/client';
import { TASK_QUEUES } from '../../src/temporal/task-queues';
import { runWorkers } from '../../activities/workers';
import { createTestAdapters } from '../support/adapters';
import { testSecrets } from '../support/service';
import { workflowBundle } from '../support/workflow-bundle';
import { TEST_URLS } from './installation';

/** Runs a worker that never records a provider's answer: it prints which provider answered, and waits to be killed. */
async function run(): Promise<void> {
  const [address = '', databaseUrl = '', urlA = '', urlB = '', urlC = ''] = process.argv.slice(2);
  const log = createLogger('test', 'silent');
  const clock = systemClock;
  const database = openDatabase(databaseUrl, { max: 4, applicationName: 'dying-worker', log });
  const temporal = { address, namespace: 'default' };
  const client = createTemporalClient(temporal);
  const providerAdapters = createTestAdapters(() => clock.now());
  for (const adapter of Object.values(providerAdapters)) {
    const unwritten =
      <Arguments extends unknown[], Answer>(call: (...args: Arguments) => Promise<Answer>) =>
      async (...args: Arguments): Promise<Answer> => {
        await call(...args);
        process.stdout.write(`${adapter.provider} has answered\n`);
        return new Promise(() => undefined);
      };
    adapter.createCheckout = unwritten(adapter.createCheckout.bind(adapter));
    adapter.changeSubscription = unwritten(adapter.changeSubscription.bind(adapter));
    adapter.cancelSubscription = unwritten(adapter.cancelSubscription.bind(adapter));
    adapter.refundPayment = unwritten(adapter.refundPayment.bind(adapter));
  }
  const of = createWorkerActivities({
    database,
    client,
    clock,
    urls: TEST_URLS,
    providerAdapters,
    keyRing: createKeyRing(testSecrets.credentialKeys),
    providerUrls: { provider_a: urlA, provider_b: urlB, provider_c: urlC },
  });
  const activities = { production: of, sandbox: of };
  const running = runWorkers(
    { temporal, client, clock, log, activities, queues: TASK_QUEUES, code: await workflowBundle() },
    new AbortController().signal,
  );
  process.stdout.write('working\n');
  await running;
}

void run();
