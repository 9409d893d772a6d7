import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { systemClock } from '../../src/clock/system-clock';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import type { CommandSender } from '../../src/operations/command-sender';
import { createWorkflowSignals, type WorkflowSignals } from '../../src/temporal/workflow-signals';
import { createCommandSender } from '../../src/temporal/command-sender';
import { subscriptionWorkflowId } from '../../src/temporal/workflow-ids';
import { until } from '../support/until';
import { startDevServer, startWorkerWith, type Running } from './installation';
import { PERIOD_MS, QuickBilling, type QuickSubscription } from './quick-billing';

const SUBSCRIPTIONS = 6;
const SENDERS_EACH = 2;
/** Number of boundaries, commands and pokes for each subscription. */
const ENOUGH = 24;

const billing = new QuickBilling();
const scope = { workspaceId: 'org_race', environment: 'sandbox' } as const;
let temporal: TemporalServer;
let worker: Running & { client: Client };
let commands: CommandSender;
let signals: WorkflowSignals;
beforeAll(async () => {
  temporal = await startDevServer();
  worker = startWorkerWith(temporal.address, () => billing.activities);
  commands = createCommandSender(worker.client, systemClock);
  signals = createWorkflowSignals(worker.client, systemClock);
  // The search attributes exist once the worker has registered them.
  await until(async () => {
    const { customAttributes } = await worker.client.connection.operatorService.listSearchAttributes({
      namespace: 'default',
    });
    return 'SubscriptionStatus' in customAttributes;
  });
});
afterAll(async () => {
  await worker.stop();
  await temporal.stop();
});

interface Result {
  operationId: string;
  outcome: string;
}

const isEnough = ({ turned, carried, sent }: QuickSubscription): boolean =>
  Math.min(turned.length, carried.length, sent) >= ENOUGH;

/** Sends one command after the other until there are enough; sends a `pending` one again, as a caller does. */
async function keepCommanding(id: string, subscription: QuickSubscription, results: Result[]): Promise<void> {
  while (!isEnough(subscription)) {
    const operationId = `op_${randomUUID()}`;
    const command = {
      scope,
      target: { kind: 'subscription', id } as const,
      operationId,
      updateId: operationId,
    };
    let outcome: string;
    do {
      outcome = await commands.send(command).catch((error: unknown) => String(error));
    } while (outcome === 'pending');
    results.push({ operationId, outcome });
    await pause(randomInt(200));
  }
}

/** Sends a poke, waits for a read after it, and sends the next, so that no poke can substitute for another. */
async function keepPoking(id: string, subscription: QuickSubscription): Promise<void> {
  while (!isEnough(subscription)) {
    subscription.sent += 1;
    const mine = subscription.sent;
    await signals.subscription({ ...scope, subscriptionId: id });
    while (subscription.seen < mine) await pause(25);
    await pause(randomInt(200));
  }
}

test('commands, pokes and boundaries meet with continue-as-new: none is lost, doubled or refused', async () => {
  const results: Result[] = [];
  const opened = Array.from({ length: SUBSCRIPTIONS }, () => {
    const id = `sub_${randomUUID()}`;
    return { id, subscription: billing.open(id) };
  });
  await Promise.all(
    opened.flatMap(({ id, subscription }) => [
      ...Array.from({ length: SENDERS_EACH }, () => keepCommanding(id, subscription, results)),
      keepPoking(id, subscription),
    ]),
  );
  expect(results.filter(({ outcome }) => outcome !== 'applied')).toEqual([]);
  expect(results.length).toBeGreaterThanOrEqual(SUBSCRIPTIONS * ENOUGH);
  for (const { id, subscription } of opened) {
    const { turned, carried, misjudged, overlapped, row, seen, sent } = subscription;
    expect({ id, misjudged, overlapped, seen }).toEqual({ id, misjudged: [], overlapped: false, seen: sent });
    // Each period turned once; none was skipped.
    expect(turned.map((boundary, index) => boundary - (turned[0] ?? 0) - index * PERIOD_MS)).toEqual(
      turned.map(() => 0),
    );
    expect(new Set(carried).size).toBe(carried.length);
    expect(row.seats).toBe(5 + carried.length);
  }
  const carried = new Set(opened.flatMap(({ subscription }) => subscription.carried));
  expect(results.filter(({ operationId }) => !carried.has(operationId))).toEqual([]);
  expect(carried.size).toBe(results.length);
  const sum = (of: (subscription: QuickSubscription) => number): number =>
    opened.reduce((total, { subscription }) => total + of(subscription), 0);
  expect(sum(({ turned }) => turned.length)).toBeGreaterThanOrEqual(SUBSCRIPTIONS * ENOUGH);
  expect(sum(({ sent }) => sent)).toBeGreaterThanOrEqual(SUBSCRIPTIONS * ENOUGH);
  for (const { id, subscription } of opened) {
    subscription.row = { ...subscription.row, status: 'cancelled' };
    await signals.subscription({ ...scope, subscriptionId: id });
    const handle = worker.client.workflow.getHandle(subscriptionWorkflowId('sandbox', id));
    await until(async () => (await handle.describe()).status.name === 'COMPLETED');
  }
  // Throughout, runs continued as new.
  const runs = new Set<string>();
  const all = { query: "WorkflowType = 'subscription'", pageSize: 500 };
  for await (const { runId } of worker.client.workflow.list(all)) runs.add(runId);
  expect(runs.size).toBeGreaterThan(SUBSCRIPTIONS);
});
