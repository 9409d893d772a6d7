import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { systemClock } from '../../src/clock/system-clock';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import type { CommandSender } from '../../src/operations/command-sender';
import { errorCode } from '../../src/domain/errors';
import { isTemporalBusy, isTemporalUnavailable } from '../../src/temporal/grpc-errors';
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

/** Aborted when a sender has failed, so that the others end too before the connection is closed. */
const failed = new AbortController();
const goesOn = (subscription: QuickSubscription): boolean =>
  !failed.signal.aborted && !isEnough(subscription);

/**
 * Sends one command after the other until there are enough. As a caller does, it sends one again that is `unanswered` or
 * that a loaded Temporal did not answer.
 */
async function keepCommanding(id: string, subscription: QuickSubscription, results: Result[]): Promise<void> {
  while (goesOn(subscription)) {
    const operationId = `op_${randomUUID()}`;
    const command = {
      scope,
      target: { kind: 'subscription', id } as const,
      operationId,
      updateId: operationId,
    };
    let outcome: string;
    do {
      outcome = await commands
        .send(command)
        .catch((error: unknown) =>
          errorCode(error) === 'temporal_unavailable' ? 'unanswered' : String(error),
        );
    } while (outcome === 'unanswered' && !failed.signal.aborted);
    results.push({ operationId, outcome });
    await pause(randomInt(200));
  }
}

/** Sends a poke again that a loaded Temporal did not answer, as the relay does. */
async function pokeUntilAnswered(id: string): Promise<void> {
  await until(async () => {
    try {
      await signals.subscription({ ...scope, subscriptionId: id });
      return true;
    } catch (error) {
      if (isTemporalUnavailable(error) || isTemporalBusy(error)) return false;
      throw error;
    }
  });
}

/** Sends a poke, waits for a read after it, and sends the next, so that no poke can substitute for another. */
async function keepPoking(id: string, subscription: QuickSubscription): Promise<void> {
  while (goesOn(subscription)) {
    subscription.sent += 1;
    const mine = subscription.sent;
    await pokeUntilAnswered(id);
    while (subscription.seen < mine && !failed.signal.aborted) await pause(25);
    await pause(randomInt(200));
  }
}

test('commands, pokes and boundaries meet with continue-as-new: none is lost, doubled or refused', async () => {
  const results: Result[] = [];
  const opened = Array.from({ length: SUBSCRIPTIONS }, () => {
    const id = `sub_${randomUUID()}`;
    return { id, subscription: billing.open(id) };
  });
  const senders = opened.flatMap(({ id, subscription }) => [
    ...Array.from({ length: SENDERS_EACH }, () => keepCommanding(id, subscription, results)),
    keepPoking(id, subscription),
  ]);
  await Promise.all(senders).catch(() => {
    failed.abort();
  });
  const ends = await Promise.allSettled(senders);
  expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
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
    await pokeUntilAnswered(id);
    const handle = worker.client.workflow.getHandle(subscriptionWorkflowId('sandbox', id));
    await until(async () => (await handle.describe()).status.name === 'COMPLETED');
  }
  // Throughout, runs continued as new.
  const runs = new Set<string>();
  const all = { query: "WorkflowType = 'subscription'", pageSize: 500 };
  for await (const { runId } of worker.client.workflow.list(all)) runs.add(runId);
  expect(runs.size).toBeGreaterThan(SUBSCRIPTIONS);
});
