import type { Client } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../src/clock/system-clock';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { DAY_MS } from '../../src/domain/instant';
import type { Environment } from '../../src/domain/environment';
import { createLogger } from '../../src/telemetry/logger';
import { ensureSearchAttributes } from '../../src/temporal/search-attributes';
import { ensureSchedules } from '../../src/temporal/schedules';
import { EARLIER_QUEUES } from '../../src/temporal/task-queues';
import { subscriptionStart } from '../../src/temporal/workflow-starts';
import { subscriptionWorkflowId } from '../../src/temporal/workflow-ids';
import { environmentKey } from '../../workflows/search-attributes';
import { textOfHistory } from '../support/history-text';
import { CatalogueSeeder } from '../support/catalogue';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService, type TestService } from '../support/service';
import { until } from '../support/until';
import { createWorkspace, type TestWorkspace } from '../support/workspace';
import { startDevServer, startRelay, startWorker, type Running } from './installation';

let service: TestService;
let temporal: TemporalServer;
let relay: Running;
let worker: Running & { client: Client };
let workspace: TestWorkspace;
beforeAll(async () => {
  [service, temporal] = await Promise.all([startTestService(), startDevServer()]);
  worker = startWorker(service.database, temporal.address);
  relay = startRelay(service.database, temporal.address);
  workspace = await createWorkspace(service.database);
});
afterAll(async () => {
  await Promise.all([relay.stop(), worker.stop()]);
  await temporal.stop();
  await service.stop();
});

interface Row {
  status: string;
  version: string;
  unit_amount: string;
  current_period_start: number;
  current_period_end: number;
  next_wake_at: number | null;
}

async function rowOf(id: string): Promise<Row> {
  const [row] = await service.database.query<Row>('SELECT * FROM tollgate.subscriptions WHERE id = $1', [id]);
  if (row === undefined) throw new Error(`There is no ${id}.`);
  return row;
}

/** Inserts a subscription by SQL whose period ends at `end`, a month after its anchor; the plan's price rose since. */
async function subscribe(
  end: number,
  { environment = 'sandbox', ...row }: Record<string, unknown> & { environment?: Environment } = {},
  prices: { price_amount: number } = { price_amount: 3900 },
): Promise<string> {
  const catalogue = new CatalogueSeeder(service.database, workspace[environment]);
  const plan = await catalogue.plan(`pro-${randomUUID()}`, []);
  await service.database.query('UPDATE tollgate.plans SET price_amount = $2 WHERE id = $1', [
    plan.planId,
    prices.price_amount,
  ]);
  const start = end - 31 * DAY_MS;
  return catalogue.subscription(await catalogue.customer(`acct-${randomUUID()}`), plan, {
    anchor: start,
    billing_anchor: new Date(end),
    current_period_start: new Date(start),
    current_period_end: new Date(end),
    next_wake_at: new Date(end),
    ...row,
  });
}

/** Enqueues the job that a transaction which changes a subscription leaves for the relay. */
async function enqueue(subscriptionId: string, environment: Environment = 'sandbox'): Promise<void> {
  await service.database.query(`SELECT tollgate.enqueue('poke-subscription', $1, $2)`, [
    JSON.stringify({ ...workspace[environment], subscriptionId }),
    subscriptionId,
  ]);
}

const handleOf = (id: string, environment: Environment = 'sandbox') =>
  worker.client.workflow.getHandle(subscriptionWorkflowId(environment, id));
const isRunning = async (id: string): Promise<boolean> =>
  handleOf(id)
    .describe()
    .then(
      ({ status }) => status.name === 'RUNNING',
      () => false,
    );
const changesOf = (id: string) =>
  service.database.query<{ message: string; data: Record<string, unknown> }>(
    `SELECT message, data FROM tollgate.developer_events WHERE type = 'SUBSCRIPTION_CHANGED' AND data->>'subscriptionId' = $1 ORDER BY sequence`,
    [id],
  );

test('a committed job starts the workflow, which turns the period that has ended, once', async () => {
  const end = Date.now() - 1_000;
  const id = await subscribe(end);
  await enqueue(id);
  await until(async () => (await rowOf(id)).version === '2');
  const row = await rowOf(id);
  expect(row).toMatchObject({ status: 'active', current_period_start: end, unit_amount: '3900' });
  expect(row.current_period_end).toBeGreaterThan(end + 27 * DAY_MS);
  // The new period is unpaid, so the next wake is for that.
  expect(row.next_wake_at).toBe(end + 7 * DAY_MS);

  const [change, ...more] = await changesOf(id);
  expect(more).toEqual([]);
  expect(change?.data).toMatchObject({
    change: 'period_turned',
    changeId: `${id}:turn_period:${end}`,
    currentPeriodStart: new Date(end).toISOString(),
    currentPeriodEnd: new Date(row.current_period_end).toISOString(),
  });
  await until(() => isRunning(id));
  // Search attributes arrive when the workflow task ends, some time after the row's transaction.
  let shown: Record<string, unknown> = {};
  await until(async () => {
    const { typedSearchAttributes } = await handleOf(id).describe();
    shown = Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
    return 'SubscriptionStatus' in shown;
  });
  expect(shown).toMatchObject({
    WorkspaceId: workspace.workspaceId,
    Environment: 'sandbox',
    Provider: 'internal',
    SubscriptionStatus: 'active',
    SubscriptionAwaits: 'renewal',
  });
  const query = `SubscriptionPlan = '${String(shown['SubscriptionPlan'])}' AND SubscriptionAwaits = 'renewal' AND WorkspaceId = '${workspace.workspaceId}'`;
  await until(async () => {
    for await (const { workflowId } of worker.client.workflow.list({ query })) {
      if (workflowId === subscriptionWorkflowId('sandbox', id)) return true;
    }
    return false;
  });
});

test('wakes by itself when the period ends', async () => {
  // A busy machine may start the workflow only after the period's end, when no timer is needed: then try a later end.
  for (let [ahead, slept] = [2_500, false]; !slept; ahead *= 2) {
    const end = Date.now() + ahead;
    const id = await subscribe(end);
    await enqueue(id);
    await until(async () => (await rowOf(id)).version === '2');
    expect((await rowOf(id)).current_period_start).toBe(end);
    const { events } = await handleOf(id).fetchHistory();
    slept = events?.some(({ timerFiredEventAttributes: fired }) => fired) ?? false;
  }
});

test('a trial ends in its first paid period, at the price it was offered', async () => {
  const end = Date.now() - 1_000;
  const id = await subscribe(end, { status: 'trialing', trial_end: new Date(end) });
  await enqueue(id);
  await until(async () => (await rowOf(id)).status === 'active');
  expect(await rowOf(id)).toMatchObject({ current_period_start: end, unit_amount: '2900', version: '2' });
  expect((await changesOf(id)).map(({ data }) => data['change'])).toEqual(['trial_ended']);
});

test('the schedule’s sweep finds a row whose workflow is gone', async () => {
  const id = await subscribe(Date.now() - 10 * 60_000);
  const schedule = worker.client.schedule.getHandle('next-wake-sweep-sandbox');
  await until(() =>
    schedule.describe().then(
      () => true,
      () => false,
    ),
  );
  await schedule.trigger();
  await until(async () => (await rowOf(id)).version === '2');
  expect(await isRunning(id)).toBe(true);
});

test('another worker finds everything registered, and leaves a paused schedule paused', async () => {
  const { client } = worker;
  const schedule = client.schedule.getHandle('next-wake-sweep-sandbox');
  await schedule.pause('by an operator');
  const log = createLogger('test', 'fatal');
  await Promise.all([
    ensureSearchAttributes(client, systemClock, log),
    ensureSchedules(client, systemClock, 'sandbox'),
  ]);
  expect((await schedule.describe()).state).toMatchObject({ paused: true, note: 'by an operator' });
  await schedule.unpause();
});

test('a workflow that was terminated by hand is rebuilt by the next poke', async () => {
  const id = await subscribe(Date.now() + 10 * DAY_MS);
  await enqueue(id);
  await until(() => isRunning(id));
  await handleOf(id).terminate('by hand');
  expect(await isRunning(id)).toBe(false);
  await enqueue(id);
  await until(() => isRunning(id));
  expect((await rowOf(id)).version).toBe('1');
});

test('a step that was taken already does nothing, and neither does one that is not due', async () => {
  const end = Date.now() - 1_000;
  const id = await subscribe(end);
  await Promise.all([enqueue(id), enqueue(id)]);
  await until(async () => (await rowOf(id)).version === '2');
  await enqueue(id);
  await until(async () => (await jobs()) === 0);
  await until(() => isRunning(id));
  expect((await rowOf(id)).version).toBe('2');
  expect(await changesOf(id)).toHaveLength(1);
});

test('a sandbox whose clock is advanced turns at once', async () => {
  const operator = await logIn(service, { role: 'developer' });
  workspaceOf(operator);
  const end = Date.now() + 5 * DAY_MS;
  const id = await subscribe(end);
  const other = await subscribe(Date.now() + 20 * DAY_MS);
  for (const one of [id, other]) {
    await enqueue(one);
    await until(() => isRunning(one));
  }
  const advanced = await operator.post('/api/sandbox/clock', { body: { by: 'next_boundary' } });
  expect(advanced.body['fired']).toMatchObject([{ subscriptionId: id }]);
  await until(async () => (await rowOf(id)).version === '2');
  expect(await rowOf(id)).toMatchObject({ current_period_start: end });
  expect((await rowOf(other)).version).toBe('1');
  // A workflow woken by a command or signal then sleeps five days less, which the sandbox has skipped.
  await enqueue(other);
  await until(async () => (await pauseOf(other)) < 16 * DAY_MS);
});

test('a workflow that began on the queue that both environments shared moves to its own, with the commands that wait for it', async () => {
  const id = await subscribe(Date.now() + 10 * DAY_MS);
  const start = subscriptionStart({ ...workspace.sandbox, subscriptionId: id });
  const { firstExecutionRunId } = await worker.client.workflow.start('subscription', {
    ...start,
    taskQueue: EARLIER_QUEUES.billing,
  });
  await until(async () => (await handleOf(id).describe()).taskQueue === 'billing-sandbox');
  const first = worker.client.workflow.getHandle(start.workflowId, firstExecutionRunId);
  expect((await first.describe()).status.name).toBe('CONTINUED_AS_NEW');
  expect((await handleOf(id).describe()).typedSearchAttributes.get(environmentKey)).toBe('sandbox');
  await service.database.query(
    `UPDATE tollgate.subscriptions SET current_period_end = $2, billing_anchor = $2, next_wake_at = $2 WHERE id = $1`,
    [id, new Date(Date.now() - 1_000)],
  );
  await enqueue(id);
  await until(async () => (await rowOf(id)).version === '2');
});

test('production continues while a sandbox catches up on years', async () => {
  const operator = await logIn(service, { role: 'developer' });
  workspaceOf(operator);
  for (let count = 0; count < 40; count += 1) {
    await subscribe(Date.now() + DAY_MS, { unit_amount: 0 }, { price_amount: 0 });
  }
  const production = await subscribe(Date.now() - 1_000, { environment: 'production' });
  await operator.post('/api/sandbox/clock', {
    body: { to: new Date(Date.now() + 15 * 365 * DAY_MS).toISOString() },
  });
  const left = async (): Promise<number> => {
    const rows = await service.database.query(
      `SELECT FROM tollgate.subscriptions WHERE workspace_id = $1 AND environment = 'sandbox'
          AND next_wake_at < now() + interval '14 years'`,
      [operator.workspaceId],
    );
    return rows.length;
  };
  // While the sandbox is catching up, production's request is done before the sandbox finishes.
  await until(async () => {
    const [row] = await service.database.query<{ n: string }>(
      `SELECT count(*) AS n FROM tollgate.subscriptions WHERE workspace_id = $1 AND environment = 'sandbox' AND version > 1`,
      [operator.workspaceId],
    );
    return Number(row?.n) >= 4;
  });
  await enqueue(production, 'production');
  await until(async () => (await rowOf(production)).version === '2');
  expect(await left()).toBeGreaterThan(0);
  const queues = await Promise.all([
    handleOf(production, 'production').describe(),
    service.database
      .query<{ id: string }>(
        `SELECT id FROM tollgate.subscriptions WHERE workspace_id = $1 AND environment = 'sandbox' AND version > 1 LIMIT 1`,
        [operator.workspaceId],
      )
      .then(([row]) => handleOf(row?.id ?? '').describe()),
  ]);
  expect(queues.map(({ taskQueue }) => taskQueue)).toEqual(['billing-production', 'billing-sandbox']);
  // The remaining years would prove nothing more, and would keep the machine busy for the rest of the file.
  await service.database.query(
    `UPDATE tollgate.subscriptions SET status = 'cancelled', next_wake_at = NULL
      WHERE workspace_id = $1 AND environment = 'sandbox'`,
    [operator.workspaceId],
  );
});

test('days that are shortened expire what is past due for longer, and make room for a new subscription', async () => {
  const operator = await logIn(service, { role: 'admin' });
  workspaceOf(operator);
  const settings = (body: object) => operator.patch('/api/billing/settings', { body });
  await settings({ expireAfterDays: 400 });
  const since = Date.now() - 32 * DAY_MS;
  const end = since + 365 * DAY_MS;
  const pastDue = {
    status: 'past_due',
    billing_interval: 'year',
    past_due_since: new Date(since),
    payment_due_at: new Date(since),
    next_wake_at: new Date(end),
  };
  const id = await subscribe(end, { ...pastDue, current_period_start: new Date(since - DAY_MS) });
  const other = await subscribe(end, {
    ...pastDue,
    past_due_since: new Date(since + 30 * DAY_MS),
    payment_due_at: new Date(since + 30 * DAY_MS),
  });
  for (const one of [id, other]) {
    await enqueue(one);
    await until(() => isRunning(one));
    await until(async () => (await pauseOf(one)) < 400 * DAY_MS);
  }
  // Quick changes back and forth: the last one counts.
  await Promise.all([settings({ expireAfterDays: 300 }), settings({ expireAfterDays: 200 })]);
  await settings({ expireAfterDays: 20 });

  await until(async () => (await rowOf(id)).status === 'expired');
  await until(async () => (await rowOf(other)).next_wake_at === since + 50 * DAY_MS);
  await until(async () => (await pauseOf(other)) < 20 * DAY_MS);
  const [row] = await service.database.query<{ customer_id: string; plan_id: string }>(
    'SELECT customer_id, plan_id FROM tollgate.subscriptions WHERE id = $1',
    [id],
  );
  const opened = await operator.post('/api/billing/subscriptions', {
    headers: { 'Idempotency-Key': randomUUID() },
    body: { customerId: row?.customer_id, planId: row?.plan_id },
  });
  expect(opened.status).toBe(201);

  // Lengthened again: nothing wakes early, and the row is not forgotten.
  await settings({ expireAfterDays: 60 });
  await until(async () => (await rowOf(other)).next_wake_at === since + 90 * DAY_MS);
  await until(async () => (await pauseOf(other)) > 50 * DAY_MS);
  expect((await rowOf(other)).status).toBe('past_due');
  // The row was inserted without the payment that it owes, which the verifier would report as missing.
  await service.database.query(
    `UPDATE tollgate.subscriptions SET status = 'cancelled', past_due_since = NULL, payment_due_at = NULL, next_wake_at = NULL
      WHERE id = $1`,
    [other],
  );
});

test('the history holds ids and states, and nothing of the customer', async () => {
  const id = await subscribe(Date.now() + 10 * DAY_MS);
  await enqueue(id);
  await until(() => isRunning(id));
  const read = async (): Promise<string> => textOfHistory((await handleOf(id).fetchHistory()).events);
  // A member of the row as passed to the workflow, which proves that the payloads are decoded.
  await until(async () => (await read()).includes('currentPeriodEnd'));
  const text = await read();
  expect(text).toContain(id);
  expect(text).not.toContain('acct-');
});

async function jobs(): Promise<number> {
  return (await service.database.query('SELECT FROM graphile_worker.jobs')).length;
}

/** Returns the duration of the workflow's last timer (milliseconds). */
async function pauseOf(id: string): Promise<number> {
  const { events } = await handleOf(id).fetchHistory();
  const timers = (events ?? []).flatMap(
    ({ timerStartedEventAttributes: timer }) => timer?.startToFireTimeout?.seconds ?? [],
  );
  return Number(timers.at(-1) ?? Number.POSITIVE_INFINITY) * 1_000;
}

/** Points the helpers above at the operator's organization. */
function workspaceOf({ workspaceId }: OperatorClient): void {
  workspace = {
    ...workspace,
    workspaceId,
    sandbox: { workspaceId, environment: 'sandbox' },
    production: { workspaceId, environment: 'production' },
  };
}
