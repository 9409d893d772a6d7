import type { Client } from '@temporalio/client';
import { pino } from 'pino';
import { systemClock } from '../../src/clock/system-clock';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { createTemporalClient } from '../../src/temporal/client';
import { setUpTemporal } from '../../src/temporal/setup';
import { createWorkflowSignals } from '../../src/temporal/workflow-signals';
import { until } from '../support/until';
import { startDevServer, startWorkerWith, type Running } from './installation';
import { QuickBilling } from './quick-billing';

/** A Temporal server that has lost its store restarts empty while the worker keeps running. */
let server: TemporalServer;
let worker: Running & { client: Client };
const billing = new QuickBilling();

beforeEach(async () => {
  server = await startDevServer();
});
afterEach(async () => {
  await worker.stop();
  await server.stop();
});

/** Replaces the server by an empty one at the same address. */
async function loseStore(): Promise<void> {
  const port = Number(server.address.split(':')[1]);
  await server.stop();
  server = await startDevServer(port);
}

/** Starts a subscription's workflow once Temporal has what it needs, and waits until it works. */
async function startsAgain(id: string): Promise<void> {
  const subscription = billing.open(id);
  const { subscription: poke } = createWorkflowSignals(worker.client, systemClock);
  const job = { workspaceId: 'org_lost', environment: 'sandbox', subscriptionId: id } as const;
  await until(() =>
    poke(job).then(
      () => true,
      () => false,
    ),
  );
  await until(() => subscription.turned.length > 1);
}

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
  worker = startWorkerWith(server.address, () => billing.activities, { checkEveryMs: 200 });
  await until(async () => (await schedules()).length === 6);
  const before = await schedules();
  await loseStore();
  await until(async () => (await schedules()).length === 6);
  expect(await schedules()).toEqual(before);
  await startsAgain('sub_lost');
});

test('a single schedule that someone deletes is created again, and a paused one stays paused and is reported', async () => {
  const pauses: unknown[] = [];
  const write = (line: string): void => {
    const { msg, schedules: ids } = JSON.parse(line) as { msg: string; schedules?: unknown };
    if (msg.startsWith('schedules are paused')) pauses.push(ids);
  };
  const log = pino({ level: 'warn' }, { write });
  worker = startWorkerWith(server.address, () => billing.activities, { checkEveryMs: 200, log });
  await until(async () => (await schedules()).length === 6);
  const { schedule } = worker.client;
  await schedule.getHandle('settlements-production').pause('by an operator');
  const createdAt = async () =>
    (await schedule.getHandle('drift-sandbox').describe()).info.createdAt.getTime();
  const before = await createdAt();
  await schedule.getHandle('drift-sandbox').delete();
  await until(() =>
    createdAt().then(
      (now) => now !== before,
      () => false,
    ),
  );
  const { state } = await schedule.getHandle('settlements-production').describe();
  expect(state).toMatchObject({ paused: true, note: 'by an operator' });
  await until(() => pauses.length > 0);
  // Only once, until another one is paused.
  await schedule.getHandle('drift-production').pause();
  await until(() => pauses.length > 1);
  expect(pauses).toEqual([['settlements-production'], ['settlements-production', 'drift-production']]);
});

test('search attributes that someone removes are registered again, and workflows continue', async () => {
  worker = startWorkerWith(server.address, () => billing.activities, { checkEveryMs: 200 });
  await startsAgain('sub_with_attributes');
  await worker.client.connection.operatorService.removeSearchAttributes({
    namespace: 'default',
    searchAttributes: ['Environment', 'SubscriptionStatus'],
  });
  await startsAgain('sub_without_attributes');
});

test('a namespace that is lost too is reported, and temporal:setup is enough to continue', async () => {
  const namespace = 'billing';
  const setUp = async (): Promise<void> => {
    const client = createTemporalClient({ address: server.address, namespace });
    for await (const { state } of setUpTemporal(client, systemClock, 1)) expect(state).not.toBe('missing');
    await client.connection.close();
  };
  const warnings: string[] = [];
  const write = (line: string): void => {
    warnings.push((JSON.parse(line) as { err?: { type: string } }).err?.type ?? '');
  };
  const log = pino({ level: 'warn' }, { write });
  await setUp();
  worker = startWorkerWith(server.address, () => billing.activities, { checkEveryMs: 200, namespace, log });
  await startsAgain('sub_before');
  await loseStore();
  await until(() => warnings.includes('NamespaceNotFoundError'));
  await setUp();
  await startsAgain('sub_after');
});
