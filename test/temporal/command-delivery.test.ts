import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../src/clock/system-clock';
import { DAY_MS } from '../../src/domain/instant';
import { findFreePort } from '../../src/embedded/free-port';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { createTemporalClient } from '../../src/temporal/client';
import { createCommandSender } from '../../src/temporal/command-sender';
import { subscriptionWorkflowId } from '../../src/temporal/workflow-ids';
import { createCustomer, idOf, subscribe } from '../catalog/offer';
import { textOfHistory } from '../support/history-text';
import { command, dataOf, historyOf, twoPlans } from '../support/billing';
import { logIn, type ConsoleAnswer, type OperatorClient } from '../support/operator';
import { startTestService, type TestService } from '../support/service';
import { until } from '../support/until';
import { startDevServer, startRelay, startWorker, type Running } from './installation';

/** A command's whole path: console, Temporal, worker, database. */
let service: TestService;
let operator: OperatorClient;
let temporal: TemporalServer;
let port: number;
let directory: string;
let running: Running[];
const client = { close: (): Promise<void> => Promise.resolve() };
let handleOf: (id: string) => ReturnType<ReturnType<typeof createTemporalClient>['workflow']['getHandle']>;

beforeAll(async () => {
  port = await findFreePort();
  directory = await mkdtemp(path.join(tmpdir(), 'tollgate-test-'));
  const address = `127.0.0.1:${port}`;
  const ours = createTemporalClient({ address, namespace: 'default' });
  client.close = () => ours.connection.close();
  handleOf = (id) => ours.workflow.getHandle(subscriptionWorkflowId('sandbox', id));
  temporal = await startServer();
  service = await startTestService({ commands: () => createCommandSender(ours, systemClock) });
  running = [startWorker(service.database, address), startRelay(service.database, address)];
  operator = await logIn(service, { role: 'admin' });
});
afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()));
  await temporal.stop();
  await client.close();
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

function startServer(): Promise<TemporalServer> {
  return startDevServer(port, path.join(directory, 'temporal.db'));
}

/** Opens a subscription to the smaller of two plans, ten days into its month; its workflow sleeps. */
async function opened(by = operator): Promise<{ id: string; pro: string }> {
  const { starter, pro } = await twoPlans(by);
  const { externalId } = await createCustomer(by);
  const anchor = new Date(Date.now() - 10 * DAY_MS).toISOString();
  const id = idOf(await subscribe(by, { externalId, planId: starter, seats: 2, anchor }));
  await until(() => isRunning(id));
  return { id, pro };
}

const isRunning = (id: string): Promise<boolean> =>
  handleOf(id)
    .describe()
    .then(
      ({ status }) => status.name === 'RUNNING',
      () => false,
    );

async function prorationsOf(subscriptionId: string): Promise<Record<string, unknown>[]> {
  const all = dataOf(await operator.get('/api/billing/transactions', { query: { subscriptionId } }));
  return all.filter(({ kind }) => kind === 'proration');
}

/** Waits until the operation named by a 202 is done. Returns the answer to the same key. */
async function finished(pending: ConsoleAnswer, again: () => Promise<ConsoleAnswer>): Promise<ConsoleAnswer> {
  const location = pending.headers.get('location') ?? '';
  await until(async () => (await operator.get(location)).body['status'] === 'succeeded');
  return again();
}

/** Sends a command again with the same key if it takes longer than the caller waits, as on a slow machine. */
async function decided(send: () => Promise<ConsoleAnswer>): Promise<ConsoleAnswer> {
  let answer: ConsoleAnswer | undefined;
  await until(async () => {
    answer = await send();
    return answer.status !== 202;
  });
  if (answer === undefined) throw new Error('Nothing was sent.');
  return answer;
}

test('an upgrade is answered at once, and a replay gives the same bytes', async () => {
  const { id, pro } = await opened();
  const key = randomUUID();
  const upgrade = () => command(operator, id, 'change', { body: { planId: pro }, key });
  const answer = await decided(upgrade);
  expect(answer).toMatchObject({ status: 200, body: { effective: 'immediate' } });
  const replay = await upgrade();
  expect(replay).toMatchObject({ status: 200, body: answer.body });
  expect(replay.headers.get('idempotency-replayed')).toBe('true');
  expect(await prorationsOf(id)).toHaveLength(1);
});

test('a refusal is answered as it was made, and decided again when its key is sent again', async () => {
  const { id, pro } = await opened();
  const key = randomUUID();
  const upgrade = () => command(operator, id, 'change', { body: { planId: pro }, key });
  await operator.post(`/api/plans/${pro}/archive`);
  expect(await decided(upgrade)).toMatchObject({ status: 409, body: { code: 'plan_archived' } });
  await operator.post(`/api/plans/${pro}/unarchive`);
  expect(await decided(upgrade)).toMatchObject({ status: 200, body: { effective: 'immediate' } });
});

test('a workflow that was terminated by hand is rebuilt by the next command', async () => {
  const { id, pro } = await opened();
  await handleOf(id).terminate('by hand');
  expect(await isRunning(id)).toBe(false);
  const [upgradeKey, cancelKey] = [randomUUID(), randomUUID()];
  const upgrade = () => command(operator, id, 'change', { body: { planId: pro }, key: upgradeKey });
  expect(await decided(upgrade)).toMatchObject({ status: 200 });
  expect(await isRunning(id)).toBe(true);
  const cancel = () => command(operator, id, 'cancel', { key: cancelKey });
  expect(await decided(cancel)).toMatchObject({ status: 200 });
  await until(async () => !(await isRunning(id)));
  expect(await historyOf(operator, id)).toEqual(['created', 'upgraded', 'cancelled']);
});

test('a command leaves nothing of its body, its answer or its customer in the history', async () => {
  const { starter, pro } = await twoPlans(operator);
  const { externalId } = await createCustomer(operator);
  const id = idOf(await subscribe(operator, { externalId, planId: starter, seats: 2 }));
  for (const key of [randomUUID(), randomUUID()])
    await decided(() => command(operator, id, 'change', { body: { planId: pro, seats: 7 }, key }));
  const { events } = await handleOf(id).fetchHistory();
  const text = textOfHistory(events);
  // A member of the row as passed to the workflow, which proves that the payloads were read.
  expect(text).toContain('currentPeriodEnd');
  expect(text).toContain('change_without_effect');
  for (const absent of [externalId, operator.email, operator.operatorId, pro, '127.0.0.1']) {
    expect(text).not.toContain(absent);
  }
});

test('without Temporal a command is 503 and check goes on; afterwards the key gets its answer, and time its due', async () => {
  const { id, pro } = await opened();
  const other = await logIn(service, { role: 'admin' });
  const { id: renewing } = await opened(other);
  await temporal.stop();
  const key = randomUUID();
  const upgrade = () => command(operator, id, 'change', { body: { planId: pro }, key });
  const refused = await upgrade();
  // 503 shows that the refused connection was noticed: a caller that waited until the deadline would get 202.
  expect(refused).toMatchObject({ status: 503, body: { code: 'temporal_unavailable' } });
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  // In the meantime, time passes for another organization.
  const to = new Date(Date.now() + 25 * DAY_MS).toISOString();
  expect(await other.post('/api/sandbox/clock', { body: { to } })).toMatchObject({ status: 200 });

  temporal = await startServer();
  await until(async () => (await upgrade()).status === 200);
  expect(await prorationsOf(id)).toHaveLength(1);
  await until(async () => (await historyOf(other, renewing)).length === 3);
  expect(await historyOf(other, renewing)).toEqual(['created', 'became_past_due', 'period_turned']);
});

test('a Temporal that hangs is 202 with the operation; when it goes on, the same key gets the answer', async () => {
  const { id, pro } = await opened();
  const key = randomUUID();
  const upgrade = () => command(operator, id, 'change', { body: { planId: pro }, key });
  process.kill(temporal.pid, 'SIGSTOP');
  let pending: ConsoleAnswer;
  try {
    pending = await upgrade();
  } finally {
    process.kill(temporal.pid, 'SIGCONT');
  }
  expect(pending).toMatchObject({ status: 202, body: { status: 'accepted', kind: 'change' } });
  expect(pending.headers.get('location')).toBe(`/api/billing/operations/${String(pending.body['id'])}`);
  await until(async () => (await upgrade()).status === 200);
  expect(await finished(pending, upgrade)).toMatchObject({ status: 200, body: { effective: 'immediate' } });
  expect(await prorationsOf(id)).toHaveLength(1);
});

test('without a worker a command is 202, and is finished when one comes', async () => {
  const { id, pro } = await opened();
  const [worker, ...others] = running;
  await worker?.stop();
  running = others;
  const key = randomUUID();
  const upgrade = () => command(operator, id, 'change', { body: { planId: pro }, key });
  const pending = await upgrade();
  expect(pending.status).toBe(202);
  running.push(startWorker(service.database, temporal.address));
  // The server drops a command that no worker took in time, so the caller sends it again.
  await until(async () => (await upgrade()).status === 200);
  expect(await finished(pending, upgrade)).toMatchObject({ status: 200 });
  expect(await prorationsOf(id)).toHaveLength(1);
});

test('more commands than may wait are 503 service_busy and not done, and those that were taken all end', async () => {
  const { id } = await opened();
  const stopped = running.splice(0);
  await Promise.all(stopped.map((one) => one.stop()));
  const answers = await Promise.all(
    Array.from({ length: 14 }, (_, n) =>
      command(operator, id, 'change', { body: { seats: 3 + n }, key: randomUUID() }),
    ),
  );
  const taken = answers.filter(({ status }) => status === 202);
  const refused = answers.filter(({ status }) => status !== 202);
  expect(refused.map(({ status, body }) => [status, body['code']])).toEqual(
    refused.map(() => [503, 'service_busy']),
  );
  // Temporal lets ten commands wait at a time.
  expect(refused.length).toBeGreaterThan(0);
  running.push(
    startWorker(service.database, temporal.address),
    startRelay(service.database, temporal.address),
  );
  for (const { headers } of taken) {
    const location = headers.get('location') ?? '';
    await until(async () => (await operator.get(location)).body['status'] === 'succeeded');
  }
  const rows = await service.database.query<{ status: string; count: string }>(
    'SELECT status, count(*) FROM tollgate.operations WHERE subscription_id = $1 GROUP BY status ORDER BY status',
    [id],
  );
  expect(rows).toEqual([
    { status: 'abandoned', count: String(refused.length) },
    { status: 'succeeded', count: String(taken.length) },
  ]);
});
