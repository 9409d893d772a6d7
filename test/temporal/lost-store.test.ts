import type { Client } from '@temporalio/client';
import { systemClock } from '../../src/clock/system-clock';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { createWorkflowSignals } from '../../src/temporal/workflow-signals';
import { until } from '../support/until';
import { startDevServer, startWorkerWith, type Running } from './installation';
import { QuickBilling } from './quick-billing';

/** A Temporal server that has lost its store restarts empty while the worker keeps running. */
let server: TemporalServer;
let worker: Running & { client: Client };
const billing = new QuickBilling();

beforeAll(async () => {
  server = await startDevServer();
  worker = startWorkerWith(server.address, () => billing.activities, { checkEveryMs: 200 });
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
});

async function schedules(): Promise<string[]> {
  const found: string[] = [];
  try {
    for await (const { scheduleId } of worker.client.schedule.list()) found.push(scheduleId);
  } catch {
    // The server is still starting.
  }
  return found.sort();
}

test('the worker recreates schedules and search attributes, and workflows start again', async () => {
  await until(async () => (await schedules()).length === 6);
  const before = await schedules();
  const port = Number(server.address.split(':')[1]);
  await server.stop();
  server = await startDevServer(port);
  await until(async () => (await schedules()).length === 6);
  expect(await schedules()).toEqual(before);

  const subscription = billing.open('sub_lost');
  const scope = { workspaceId: 'org_lost', environment: 'sandbox' } as const;
  const { subscription: poke } = createWorkflowSignals(worker.client, systemClock);
  await until(() =>
    poke({ ...scope, subscriptionId: 'sub_lost' }).then(
      () => true,
      () => false,
    ),
  );
  await until(() => subscription.turned.length > 1);
});
