import type { JobHelpers } from 'graphile-worker';
import { Client } from 'pg';
import { pino } from 'pino';
import { findFreePort } from '../../src/embedded/free-port';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { newIdentifier } from '../../src/identifiers/identifier';
import { createTasks } from '../../src/relay/tasks';
import type { WorkflowSignals } from '../../src/temporal/workflow-signals';
import {
  checkoutWorkflowId,
  refundWorkflowId,
  subscriptionWorkflowId,
} from '../../src/temporal/workflow-ids';
import { createAuthority } from '../support/certificates';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { startTemporalProxy, type TemporalProxyOptions } from '../support/temporal-proxy';
import { until } from '../support/until';
import { startDevServer, startRelay, type Running } from '../temporal/installation';

let database: TestDatabase;
let relay: ReturnType<typeof startRelay> | undefined;
/** A server that a test starts or stops itself. */
let temporal: TemporalServer | undefined;
let sharedTemporal: TemporalServer;
beforeAll(async () => {
  [database, sharedTemporal] = await Promise.all([createTestDatabase(), startDevServer()]);
});
afterEach(async () => {
  await relay?.stop();
  await temporal?.stop();
  [relay, temporal] = [undefined, undefined];
  await database.query('DELETE FROM graphile_worker._private_jobs');
});
afterAll(async () => {
  await sharedTemporal.stop();
  await database.drop();
});

/** Enqueues a job as a feature's transaction does, and returns the subscription's id. */
async function enqueue(payload: object = {}): Promise<string> {
  const subscriptionId = newIdentifier('subscription');
  const job = { workspaceId: 'org_test', environment: 'sandbox', subscriptionId, ...payload };
  await database.query(`SELECT tollgate.enqueue('poke-subscription', $1, $2)`, [
    JSON.stringify(job),
    subscriptionId,
  ]);
  return subscriptionId;
}

interface Job {
  key: string;
  attempts: number;
  last_error: string | null;
  run_at: number;
}
const jobs = () =>
  database.query<Job>('SELECT key, attempts, last_error, run_at FROM graphile_worker.jobs ORDER BY id');

async function hasWorkflow(
  { client }: { client: ReturnType<typeof startRelay>['client'] },
  id: string,
  workflowId = subscriptionWorkflowId('sandbox', id),
) {
  return client.workflow
    .getHandle(workflowId)
    .describe()
    .then(
      () => true,
      () => false,
    );
}

/** Starts a relay, and collects its log messages about waiting. */
function listenedRelay(
  address: string,
  credentials: NonNullable<Parameters<typeof startRelay>[2]>['credentials'] = {},
): ReturnType<typeof startRelay> & { waits: string[]; relays: string[]; unwritten: string[] } {
  const waits: string[] = [];
  const relays: string[] = [];
  const unwritten: string[] = [];
  const log = pino(
    { level: 'debug' },
    {
      write: (line: string) => {
        const { msg } = JSON.parse(line) as { msg: string };
        if (msg.startsWith('the relay failed')) waits.push(msg);
        if (msg === 'relaying') relays.push(msg);
        if (msg.startsWith('Failed to complete jobs')) unwritten.push(msg);
      },
    },
  );
  return { ...startRelay(database, address, { log, credentials }), waits, relays, unwritten };
}

test('a job starts a workflow and is gone', async () => {
  const before = await enqueue();
  const running = (relay = startRelay(database, sharedTemporal.address));
  const after = await enqueue();
  await until(async () => (await jobs()).length === 0);
  expect(await hasWorkflow(running, before)).toBe(true);
  expect(await hasWorkflow(running, after)).toBe(true);
});

test('checkouts and refunds have their own workflows', async () => {
  const scope = { workspaceId: 'org_test', environment: 'sandbox' };
  const [checkoutId, refundId] = [newIdentifier('checkout'), newIdentifier('refund')];
  for (const [task, job] of [
    ['poke-checkout', { ...scope, checkoutId }],
    ['poke-refund', { ...scope, refundId }],
  ] as const) {
    await database.query('SELECT tollgate.enqueue($1, $2, $3)', [task, JSON.stringify(job), task]);
  }
  const running = (relay = startRelay(database, sharedTemporal.address));
  await until(async () => (await jobs()).length === 0);
  expect(await hasWorkflow(running, checkoutId, checkoutWorkflowId('sandbox', checkoutId))).toBe(true);
  expect(await hasWorkflow(running, refundId, refundWorkflowId('sandbox', refundId))).toBe(true);
});

test('every task of the relay can be left for it, production’s before a sandbox’s', async () => {
  const all = createTasks({
    signals: {} as WorkflowSignals,
    commands: { send: () => Promise.resolve('applied') },
    hasEnded: () => Promise.resolve(true),
    hasStarted: () => Promise.resolve(true),
    rescheduleState: () => Promise.resolve('completed'),
    onError: () => undefined,
  });
  // A command's job is enqueued along with its operation's state, by a separate function.
  const tasks = Object.keys(all).filter((task) => task !== 'send-operation');
  for (const environment of ['sandbox', 'production']) {
    for (const task of tasks) {
      const job = JSON.stringify({ environment });
      await database.query('SELECT tollgate.enqueue($1, $2, $3)', [task, job, `${environment} ${task}`]);
    }
  }
  const rows = await database.query<{ key: string }>(
    'SELECT key FROM graphile_worker.jobs ORDER BY priority, run_at, id',
  );
  const inOrder = ['production', 'sandbox'].flatMap((environment) =>
    tasks.map((task) => `${environment} ${task}`),
  );
  expect(rows.map(({ key }) => key.split(' ')[0])).toEqual(inOrder.map((key) => key.split(' ')[0]));
  expect(new Set(rows.map(({ key }) => key))).toEqual(new Set(inOrder));
});

test.each([
  ['applied', { hasStarted: false }, 2],
  ['pending', { hasStarted: false }, 2],
  ['pending', { hasStarted: true }, 1],
  ['unanswered', { hasStarted: false }, 1],
] as const)(
  'a command that is open, and in Temporal %s (%j), is sent %i times',
  async (result, { hasStarted }, times) => {
    const sent: string[] = [];
    const job = {
      workspaceId: 'org_test',
      environment: 'sandbox',
      operationId: 'op_1',
      updateId: 'first',
      target: { kind: 'subscription', id: 'sub_1' },
    };
    const tasks = createTasks({
      signals: {} as WorkflowSignals,
      commands: {
        send: ({ updateId }) => {
          sent.push(updateId);
          return Promise.resolve(updateId === 'first' ? result : 'applied');
        },
      },
      // After a restore, Temporal answers the first from its memory.
      hasEnded: () => Promise.resolve(sent.some((updateId) => updateId !== 'first')),
      hasStarted: () => Promise.resolve(hasStarted),
      rescheduleState: () => Promise.resolve('completed'),
      onError: () => undefined,
    });
    const sending = Promise.resolve(tasks['send-operation']?.(job, { job: {} } as JobHelpers));
    if (times === 1) await expect(sending).rejects.toThrow('has not ended yet');
    else await sending;
    expect(sent).toEqual(['first', expect.stringMatching(/^first#/)].slice(0, times));
  },
);

test('without Temporal no job is touched, and all are done when it comes', async () => {
  const port = await findFreePort();
  const listened = listenedRelay(`127.0.0.1:${port}`);
  relay = listened;
  const ids = [await enqueue(), await enqueue(), await enqueue()];
  await until(() => listened.waits.length >= 2);
  expect(await jobs()).toMatchObject(ids.map((key) => ({ key, attempts: 0, last_error: null })));
  temporal = await startDevServer(port);
  await until(async () => (await jobs()).length === 0);
  for (const id of ids) expect(await hasWorkflow(listened, id)).toBe(true);
});

test('jobs wait during an outage, lose nothing, and continue after it', async () => {
  const port = await findFreePort();
  temporal = await startDevServer(port);
  const listened = listenedRelay(temporal.address);
  relay = listened;
  await until(() => listened.relays.length === 1);
  await temporal.stop();
  const first = await enqueue();
  await until(() => listened.waits.length >= 1);
  const later = await enqueue();
  await until(() => listened.waits.length >= 2);
  expect(await jobs()).toMatchObject([
    { key: first, attempts: 1 },
    { key: later, attempts: 0 },
  ]);
  temporal = await startDevServer(port);
  await until(async () => (await jobs()).length === 0);
  expect(await hasWorkflow(listened, first)).toBe(true);
  expect(await hasWorkflow(listened, later)).toBe(true);
});

/** Everything but what a server answers to anyone. */
const ALL = /^(?!.*\/GetSystemInfo$)/;

test.each<[string, Pick<TemporalProxyOptions, 'apiKey' | 'forbids'>]>([
  ['an API key that has expired', { apiKey: 'its successor' }],
  ['a token that the server’s own authorizer denies', { forbids: ALL }],
])('%s is an outage too', async (_, refusing) => {
  const accepted: TemporalProxyOptions = { authority: createAuthority(), apiKey: 'ours' };
  const proxy = await startTemporalProxy(sharedTemporal.address, accepted);
  const tls = { serverRootCACertificate: Buffer.from(accepted.authority.cert) };
  const listened = listenedRelay(proxy.address, { tls, apiKey: 'ours' });
  relay = listened;
  await until(() => listened.relays.length === 1);
  Object.assign(accepted, refusing);
  const first = await enqueue();
  await until(() => listened.waits.length >= 1);
  const later = await enqueue();
  await until(() => listened.waits.length >= 2);
  expect(await jobs()).toMatchObject([
    { key: first, attempts: 1 },
    { key: later, attempts: 0 },
  ]);
  Object.assign(accepted, { apiKey: 'ours', forbids: undefined });
  await until(async () => (await jobs()).length === 0);
  expect(await hasWorkflow(listened, first)).toBe(true);
  expect(await hasWorkflow(listened, later)).toBe(true);
  await proxy.stop();
});

test('a job that fails is kept, with its error, and stops no other', async () => {
  const damaged = await enqueue({ environment: 'neither' });
  const lines: unknown[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const running = (relay = startRelay(database, sharedTemporal.address, { log }));
  await until(async () => typeof (await jobs())[0]?.last_error === 'string');
  const sound = await enqueue();
  await until(() => hasWorkflow(running, sound));
  // The workflow exists a moment before its job is deleted.
  await until(async () => (await jobs()).length === 1);
  const [left] = await jobs();
  expect(left).toMatchObject({ key: damaged });
  expect(left?.last_error).toContain('environment');
  expect(left?.run_at).toBeGreaterThan(Date.now() - 60_000);
  expect(lines[0]).toMatchObject({
    taskIdentifier: 'poke-subscription',
    jobKey: damaged,
    workspaceId: 'org_test',
  });
});

test('a connection that is cut is made again', async () => {
  const running = (relay = startRelay(database, sharedTemporal.address));
  await until(async () => (await relayBackends()) > 0);
  await database.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'tollgate_relay' AND datname = current_database()",
  );
  const id = await enqueue();
  await until(() => hasWorkflow(running, id));
});

test('a relay that loses its connection at the start continues with all its jobs', async () => {
  const holder = new Client({ connectionString: database.adminUrl });
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE graphile_worker._private_tasks');
  const running = (relay = startRelay(database, sharedTemporal.address));
  await until(async () => (await relayBackends("AND wait_event_type = 'Lock'")) > 0);
  await database.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'tollgate_relay' AND datname = current_database()",
  );
  await until(async () => (await relayBackends("AND wait_event_type = 'Lock'")) === 0);
  await holder.end();
  const id = await enqueue();
  await until(() => hasWorkflow(running, id));
});

test('a job whose end cannot be written stops neither the relay nor other jobs', async () => {
  const listened = listenedRelay(sharedTemporal.address);
  relay = listened;
  await database.query(`
    CREATE FUNCTION keep_job() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$;
    CREATE TRIGGER keep_job BEFORE DELETE ON graphile_worker._private_jobs EXECUTE FUNCTION keep_job()`);
  const done = await enqueue();
  await until(() => listened.relays.length >= 2);
  await database.query('DROP FUNCTION keep_job() CASCADE');
  expect(await hasWorkflow(listened, done)).toBe(true);
  const next = await enqueue();
  await until(() => hasWorkflow(listened, next));
  await until(async () => (await jobs()).every(({ key }) => key !== next));
});

test('a job whose end cannot be written while others run stops neither the relay nor its own stop', async () => {
  const listened = listenedRelay(sharedTemporal.address);
  relay = listened;
  const operations = ['op_a', 'op_b', 'op_c', 'op_d'] as const;
  const [probe] = await database.query<{ definition: string }>(
    `SELECT pg_get_functiondef('tollgate.operation_has_ended'::regproc) AS definition`,
  );
  // Each operation has ended once the test releases it.
  await database.query(`
    CREATE OR REPLACE FUNCTION tollgate.operation_has_ended(workspace text, env text, operation text) RETURNS boolean
      LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(hashtext(operation)); RETURN true; END $$;
    CREATE FUNCTION keep_job() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF OLD.key = 'op_a' THEN RAISE 'not now'; END IF; RETURN OLD; END $$;
    CREATE TRIGGER keep_job BEFORE DELETE ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION keep_job()`);
  const holder = new Client({ connectionString: database.adminUrl });
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock(hashtext(o)) FROM unnest($1::text[]) o', [operations]);
  for (const operationId of operations) {
    const target = { kind: 'subscription', id: newIdentifier('subscription') };
    const job = {
      workspaceId: 'org_test',
      environment: 'sandbox',
      target,
      operationId,
      updateId: operationId,
    };
    await database.query(`SELECT tollgate.keep_sending($1, $2)`, [JSON.stringify(job), operationId]);
  }
  await until(async () => (await relayBackends("AND wait_event = 'advisory'")) === operations.length);
  for (const [index, operationId] of operations.entries()) {
    await holder.query('SELECT pg_advisory_unlock(hashtext($1))', [operationId]);
    if (operationId === 'op_a') await until(() => listened.unwritten.length === 1);
    else await until(async () => (await jobs()).length === operations.length - index);
  }
  await holder.end();
  await until(() => listened.relays.length >= 2);
  await database.query(`DROP FUNCTION keep_job() CASCADE; ${probe?.definition ?? ''}`);
  const next = await enqueue();
  await until(() => hasWorkflow(listened, next));
});

test('stops while it waits for a Temporal that is not there', async () => {
  const listened: Running & { waits: string[] } = listenedRelay(`127.0.0.1:${await findFreePort()}`);
  await until(() => listened.waits.length >= 1);
  await listened.stop();
  expect(await relayBackends()).toBe(0);
});

async function relayBackends(which = ''): Promise<number> {
  const rows = await database.query(
    `SELECT FROM pg_stat_activity WHERE usename = 'tollgate_relay' AND datname = current_database() ${which}`,
  );
  return rows.length;
}
