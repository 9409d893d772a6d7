import { randomUUID } from 'node:crypto';
import { systemClock } from '../../src/clock/system-clock';
import { createKeyRing } from '../../src/credentials/key-ring';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { ensureSchedules } from '../../src/temporal/schedules';
import type { DriftReportInput } from '../../workflows/drift-report';
import type { driftReport } from '../../workflows/drift-report';
import { EntryPoint } from '../support/entry-point';
import { ProviderWorld, type WorldSubscription } from '../support/provider-world';
import { testSecrets } from '../support/service';
import { until } from '../support/until';
import { startDevServer, startWorker } from './installation';

let world: ProviderWorld;
let server: TemporalServer;
let worker: ReturnType<typeof startWorker>;
let a: WorldSubscription;
let b: WorldSubscription;

beforeAll(async () => {
  world = await ProviderWorld.start();
  server = await startDevServer();
  const { a: urlA, b: urlB, c: urlC } = world.simulators.urls;
  worker = startWorker(world.service.database, server.address, {
    keyRing: createKeyRing(testSecrets.credentialKeys),
    providerUrls: { provider_a: urlA, provider_b: urlB, provider_c: urlC },
  });
  // Its own run, at 04:30 UTC, could take what a test expects. Reports that tests start run nevertheless.
  const schedule = worker.client.schedule.getHandle('drift-sandbox');
  await until(() =>
    schedule.pause('the tests start the reports').then(
      () => true,
      () => false,
    ),
  );
  a = await world.subscribe('provider_a', { seats: 2 });
  b = await world.subscribe('provider_b', { seats: 2 });
  await world.subscribe('provider_c');
  world.simulators.core.outbox.switches.drop = true;
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
  await world.stop();
});

/** Runs one report from start to end. */
function report(): Promise<DriftReportInput> {
  return worker.client.workflow.execute<typeof driftReport>('driftReport', {
    workflowId: randomUUID(),
    taskQueue: 'billing-sandbox',
    args: [{ environment: 'sandbox' }],
  });
}

async function seatsAtProviderA(quantity: number): Promise<void> {
  const { adapter, access } = await world.open('provider_a');
  await adapter.changeSubscription(access, {
    key: randomUUID(),
    repeated: false,
    reference: a.reference,
    planReference: 'price_pro',
    quantity,
    proration: 'none',
    returnUrl: 'http://127.0.0.1:1/ok',
    cancelUrl: 'http://127.0.0.1:1/no',
  });
}

async function driftEvents(): Promise<{ change: string; status: string; message: string }[]> {
  return world.service.database.query(
    `SELECT data->>'change' AS change, status, message FROM tollgate.developer_events
      WHERE data->>'change' LIKE 'drift%' ORDER BY created_at, id`,
  );
}

test('where everything agrees, nothing is reported', async () => {
  expect(await report()).toMatchObject({ compared: 3, found: 0, gone: 0, unread: 0, failed: 0 });
  expect(await driftEvents()).toEqual([]);
});

test('a plan that was mapped before prices were compared is reported once, and once more when it agrees', async () => {
  const cost = (amount: number) =>
    world.service.database.query('UPDATE tollgate.plans SET price_amount = $1 WHERE id = $2', [
      amount,
      world.plans.starter.planId,
    ]);
  const events = () =>
    world.service.database.query(
      `SELECT status, count(*)::int AS count FROM tollgate.developer_events
        WHERE type = 'PLAN_PRICE_COMPARED' GROUP BY status ORDER BY status`,
    );
  expect(await events()).toEqual([]);
  await cost(1100);
  for (let times = 0; times < 2; times += 1) expect(await report()).toMatchObject({ failed: 0 });
  const atEachProvider = { status: 'ERROR', count: 3 };
  expect(await events()).toEqual([atEachProvider]);
  await cost(1000);
  expect(await report()).toMatchObject({ failed: 0 });
  expect(await events()).toEqual([atEachProvider, { status: 'OK', count: 3 }]);
});

test('drift is reported once, again when it changes, and once more when it is gone', async () => {
  await seatsAtProviderA(5);
  expect(await report()).toMatchObject({ compared: 3, found: 1 });
  expect(await report()).toMatchObject({ compared: 3, found: 0 });
  await seatsAtProviderA(6);
  expect(await report()).toMatchObject({ found: 1 });
  await seatsAtProviderA(2);
  expect(await report()).toMatchObject({ found: 0, gone: 1 });
  expect(await report()).toMatchObject({ found: 0, gone: 0 });
  const events = await driftEvents();
  expect(events.map(({ change, status }) => `${change} ${status}`)).toEqual([
    'drift_found ERROR',
    'drift_found ERROR',
    'drift_gone OK',
  ]);
  expect(events[0]?.message).toContain('Here it is on 2 seats; the payment provider bills 5.');
});

test('a comparison on request keeps and reports its finding, and takes one back that is gone', async () => {
  const compare = () => world.operator.get(`/api/billing/subscriptions/${a.id}/drift`);
  const differing = async () => {
    const query = { drift: 'found' };
    const { body } = await world.operator.get('/api/billing/subscriptions', { query });
    return (body['data'] as { id: string }[]).map(({ id }) => id);
  };
  const before = (await driftEvents()).length;
  await seatsAtProviderA(5);
  expect((await compare()).body).toMatchObject({ inSync: false });
  expect(await differing()).toEqual([a.id]);
  await compare();
  await seatsAtProviderA(2);
  expect((await compare()).body).toMatchObject({ inSync: true });
  expect(await differing()).toEqual([]);
  expect((await driftEvents()).slice(before).map(({ change }) => change)).toEqual([
    'drift_found',
    'drift_gone',
  ]);
  expect(await report()).toMatchObject({ found: 0, gone: 0 });
});

test('a provider that does not answer is no news, and holds up no other', async () => {
  await seatsAtProviderA(7);
  expect(await report()).toMatchObject({ found: 1 });
  world.fault('provider_a', `/v1/subscriptions/${a.reference}`, 'answer_500', 1);
  expect(await report()).toMatchObject({ compared: 3, found: 0, gone: 0, unread: 1 });
});

test('drift that an operator has repaired is not reported as gone', async () => {
  const answer = await world.operator.post(`/api/billing/subscriptions/${a.id}/drift`, {
    body: { take: 'provider' },
    headers: { 'Idempotency-Key': randomUUID() },
  });
  expect(answer.body).toMatchObject({ inSync: true, changes: [{ field: 'seats', from: 2, to: 7 }] });
  expect(await report()).toMatchObject({ found: 0, gone: 0 });
});

test('the daily schedule reports, however often it was made', async () => {
  const { client } = worker;
  await ensureSchedules(client, systemClock, 'sandbox');
  await ensureSchedules(client, systemClock, 'sandbox');
  await seatsAtProviderA(9);
  const before = (await driftEvents()).length;
  await client.schedule.getHandle('drift-sandbox').trigger();
  await until(async () => (await driftEvents()).length === before + 1);
});

describe('npm run drift', () => {
  const run = async (...args: string[]): Promise<{ code: number | null; output: string }> => {
    const { a: urlA, b: urlB, c: urlC } = world.simulators.urls;
    const [key] = testSecrets.credentialKeys.keys;
    const entry = new EntryPoint(
      'drift',
      {
        NODE_ENV: 'test',
        TOLLGATE_DATABASE_URL: world.service.database.url('tollgate_app'),
        TOLLGATE_CREDENTIAL_KEYS: `k1:${key?.key.toString('base64') ?? ''}`,
        TOLLGATE_PROVIDER_A_URL: urlA,
        TOLLGATE_PROVIDER_B_URL: urlB,
        TOLLGATE_PROVIDER_C_URL: urlC,
        TEMPORAL_ADDRESS: server.address,
      },
      { args: ['--env', 'sandbox', ...args] },
    );
    const { code } = await entry.exit;
    return { code, output: entry.output };
  };

  test('says what differs, repairs it on the provider’s word, and then finds nothing', async () => {
    const organization = ['--organization', world.operator.workspaceId];
    const found = await run(...organization);
    expect(found.code).toBe(1);
    expect(found.output).toContain(`${a.id}  Here it is on 7 seats; the payment provider bills 9.`);
    const other = await run(...organization, '--connection', world.connections.provider_b);
    expect(other).toMatchObject({ code: 0 });
    expect(other.output).toContain('1 subscriptions, 0 differ');
    const repaired = await run(...organization, '--repair', 'provider');
    // A loaded Temporal may finish the repair after the program has ended.
    if (!repaired.output.includes('under way: op_')) {
      expect(repaired.output).toContain('repaired: seats 7 → 9');
      expect(repaired.code).toBe(0);
    }
    await until(async () => (await world.show(a.id)).seats === 9);
    expect(await world.show(b.id)).toMatchObject({ seats: 2 });
    expect((await run(...organization)).code).toBe(0);
  });

  test('says what to do about an organization or a connection that is not there', async () => {
    const nobody = await run('--organization', 'org_none');
    expect(nobody.code).toBe(1);
    expect(nobody.output).toContain('There is no organization "org_none"; name it by its id');
    const none = ['--organization', world.operator.workspaceId, '--connection', 'conn_none'];
    expect((await run(...none)).output).toContain('There is no provider connection "conn_none"');
  });
});
