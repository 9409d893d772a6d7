import type { Client } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { DAY_MS } from '../../src/domain/instant';
import { subscriptionWorkflowId } from '../../src/temporal/workflow-ids';
import { CatalogueSeeder } from '../support/catalogue';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService, type TestService } from '../support/service';
import { until } from '../support/until';
import { startDevServer, startRelay, startWorker, type Running } from './installation';

/** An advance of a sandbox's clock signals the workflows it reaches; the others are signalled as real time passes. */
let service: TestService;
let temporal: TemporalServer;
let relay: Running;
let worker: Running & { client: Client };
let operator: OperatorClient;
beforeAll(async () => {
  [service, temporal] = await Promise.all([startTestService(), startDevServer()]);
  worker = startWorker(service.database, temporal.address);
  relay = startRelay(service.database, temporal.address);
});
beforeEach(async () => {
  operator = await logIn(service, { role: 'developer' });
});
afterAll(async () => {
  await Promise.all([relay.stop(), worker.stop()]);
  await temporal.stop();
  await service.stop();
});

/** Inserts a free subscription by SQL whose period ends at `end`; its workflow sleeps. */
async function sleepUntil(end: number): Promise<string> {
  const scope = { workspaceId: operator.workspaceId, environment: 'sandbox' } as const;
  const catalogue = new CatalogueSeeder(service.database, scope);
  const plan = await catalogue.plan(`free-${randomUUID()}`, []);
  const start = end - 31 * DAY_MS;
  const id = await catalogue.subscription(await catalogue.customer(`acct-${randomUUID()}`), plan, {
    anchor: start,
    billing_anchor: new Date(end),
    current_period_start: new Date(start),
    current_period_end: new Date(end),
    next_wake_at: new Date(end),
    unit_amount: 0,
  });
  await service.database.query(`SELECT tollgate.enqueue('poke-subscription', $1, $2)`, [
    JSON.stringify({ ...scope, subscriptionId: id }),
    id,
  ]);
  await until(async () => (await eventsOf(id)).timers === 1);
  return id;
}

async function eventsOf(id: string): Promise<{ all: number; timers: number; signals: number }> {
  const handle = worker.client.workflow.getHandle(subscriptionWorkflowId('sandbox', id));
  const events = await handle.fetchHistory().then(
    (history) => history.events ?? [],
    () => [],
  );
  return {
    all: events.length,
    timers: events.filter((event) => event.timerStartedEventAttributes).length,
    signals: events.filter((event) => event.workflowExecutionSignaledEventAttributes).length,
  };
}

async function hasTurned(id: string): Promise<boolean> {
  const [row] = await service.database.query<{ version: string }>(
    'SELECT version FROM tollgate.subscriptions WHERE id = $1',
    [id],
  );
  return Number(row?.version) > 1;
}

const advance = async (to: number): Promise<void> => {
  const { status } = await operator.post('/api/sandbox/clock', { body: { to: new Date(to).toISOString() } });
  expect(status).toBe(200);
};
/** Reports whether the relay has taken every due job. */
const isRelayed = async (): Promise<boolean> => {
  const due = await service.database.query('SELECT FROM graphile_worker.jobs WHERE run_at <= now()');
  return due.length === 0;
};

test('whom it does not reach hears nothing of it, until a later advance does reach them', async () => {
  const begun = Date.now();
  const near = await sleepUntil(begun + 5 * DAY_MS);
  const others = [await sleepUntil(begun + 20 * DAY_MS), await sleepUntil(begun + 25 * DAY_MS)];
  const before = await Promise.all(others.map(eventsOf));
  await advance(begun + 6 * DAY_MS);
  await until(() => hasTurned(near));
  await advance(begun + 7 * DAY_MS);
  await until(isRelayed);
  expect(await Promise.all(others.map(eventsOf))).toEqual(before);

  const [next = '', last = ''] = others;
  await advance(begun + 21 * DAY_MS);
  await until(() => hasTurned(next));
  await until(isRelayed);
  expect(await eventsOf(last)).toEqual(before[1]);
  expect(await hasTurned(last)).toBe(false);
});

test('real time reaches by the clock as it is whom the advance has not reached, once, also where the relay was down', async () => {
  const begun = Date.now();
  const id = await sleepUntil(begun + 10 * DAY_MS);
  await relay.stop();
  await advance(begun + 10 * DAY_MS - 60_000);
  await advance(begun + 10 * DAY_MS - 1_000);
  const [job] = await service.database.query<{ run_at: number }>(
    'SELECT run_at FROM graphile_worker.jobs WHERE key = $1',
    [`clock/subscription/sandbox/${id}`],
  );
  await until(() => Date.now() > (job?.run_at ?? Infinity));
  expect(await hasTurned(id)).toBe(false);
  relay = startRelay(service.database, temporal.address);
  await until(() => hasTurned(id));
  await until(isRelayed);
  expect((await eventsOf(id)).signals).toBe(2);
});
