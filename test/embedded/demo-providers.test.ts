import { setTimeout as pause } from 'node:timers/promises';
import { startSimulators, type RunningSimulators } from '../../simulators/start';
import { openDatabase, openPipelinedPool } from '../../src/db/pools';
import { DEMO_EMAIL, makeDemo } from '../../src/embedded/demo/make-demo';
import type { DemoFile } from '../../src/embedded/demo/demo-file';
import { PROVIDER_CUSTOMERS } from '../../src/embedded/demo/provider-customers';
import { showProviders } from '../../src/embedded/demo/show-providers';
import { simulatorAccounts } from '../../src/embedded/demo/simulator-accounts';
import {
  subscribeAtProviders,
  type SubscribedAtProviders,
} from '../../src/embedded/demo/subscribe-at-providers';
import { createLogger } from '../../src/telemetry/logger';
import { createTestAdapters } from '../support/adapters';
import { createClient, logInAs, testPassword, type OperatorClient } from '../support/operator';
import { startTestService, testSecrets, type TestService } from '../support/service';

let service: TestService;
let simulators: RunningSimulators;
let operator: OperatorClient;
let demo: DemoFile;

async function make(): Promise<DemoFile> {
  const log = createLogger('test', 'silent');
  const options = { max: 2, applicationName: 'test-demo', log };
  const database = openDatabase(service.database.url('tollgate_app'), options);
  const pipelined = openPipelinedPool(service.database.url('tollgate_app'), options);
  const { clock, urls } = service;
  const made = await makeDemo({
    ...testSecrets,
    database,
    pipelined,
    operatorPassword: testPassword,
    urls,
    clock,
    log,
  });
  await Promise.all([database.destroy(), pipelined.end()]);
  return {
    ...made,
    consoleUrl: urls.console,
    sandboxBaseUrl: urls.sandbox,
    productionBaseUrl: urls.production,
    temporalUiUrl: null,
    operator: { email: DEMO_EMAIL, password: testPassword },
    simulators: simulators.urls,
    curl: [],
  };
}

beforeAll(async () => {
  simulators = await startSimulators();
  const { a, b, c, control } = simulators.urls;
  service = await startTestService({
    commands: 'direct',
    providerAdapters: createTestAdapters(),
    providerUrls: { provider_a: a, provider_b: b, provider_c: c },
  });
  demo = await make();
  for (const [provider, account] of Object.entries(simulatorAccounts(demo.connections, service.urls.sandbox)))
    await fetch(`${control}/${provider}/accounts`, { method: 'POST', body: JSON.stringify(account) });
  const workspaceId = demo.organizationId;
  const cookie = await logInAs(service.urls.console, DEMO_EMAIL, testPassword);
  operator = createClient(service.urls.console, { operatorId: '', email: DEMO_EMAIL, workspaceId, cookie });
});
afterAll(async () => {
  await simulators.stop();
  await service.stop();
});

const checkouts = (provider?: string): Promise<{ id: string }[]> =>
  service.database.query(`SELECT id FROM tollgate.checkouts WHERE $1::text IS NULL OR provider = $1`, [
    provider ?? null,
  ]);

/** Polls provider C's checkouts, because no webhook of provider C says which checkout its subscription belongs to. */
async function lookAtC(): Promise<void> {
  const scope = { workspaceId: demo.organizationId, environment: 'sandbox' } as const;
  for (const { id } of await checkouts('provider_c')) await service.direct.catchUpCheckout(scope, id);
}

async function subscribe(): Promise<SubscribedAtProviders> {
  let result: SubscribedAtProviders | undefined;
  const made = subscribeAtProviders(demo, new AbortController().signal).then((all) => (result = all));
  while (result === undefined) {
    await Promise.race([made, pause(200)]);
    await lookAtC();
  }
  return result;
}

test('a start names what it could not finish, and the next one continues with it', async () => {
  const ended = new AbortController();
  const first = subscribeAtProviders(demo, ended.signal);
  while ((await checkouts()).length < PROVIDER_CUSTOMERS.length) await pause(50);
  ended.abort(new Error('the time is up'));
  const { failures } = await first;
  expect(failures).toContain('demo_c_active: Error: the time is up');
  const { body } = await operator.get('/api/sandbox/clock');
  const to = new Date(Date.parse(String(body['now'])) + 3 * 60_000).toISOString();
  const clock = { organizationId: demo.organizationId, env: 'sandbox' };
  expect((await operator.post('/api/sandbox/clock', { body: { to }, env: null, query: clock })).status).toBe(
    200,
  );
  expect(await subscribe()).toEqual({ made: expect.any(Number) as number, failures: [] });
});

const nothing = { cancelAtPeriodEnd: false, scheduledChange: null, pendingApproval: null };
const pro = { ...nothing, plan: { slug: 'pro' } };
const toScale = { plan: { slug: 'scale' } };
test.each<[string, object]>([
  ['demo_a_active', { ...pro, status: 'active', seats: 2 }],
  ['demo_a_upgraded', { ...nothing, status: 'active', ...toScale }],
  ['demo_a_downgrading', { ...nothing, status: 'active', ...toScale, scheduledChange: { plan: pro.plan } }],
  ['demo_a_cancelling', { ...pro, status: 'active', cancelAtPeriodEnd: true }],
  ['demo_a_past_due', { ...pro, status: 'past_due', seats: 1 }],
  ['demo_a_checkout', { ...pro, status: 'incomplete' }],
  ['demo_b_active', { ...pro, status: 'active', seats: 2 }],
  ['demo_b_asked', { ...pro, status: 'active', pendingApproval: toScale }],
  ['demo_b_confirmed', { ...pro, status: 'active', scheduledChange: toScale }],
  ['demo_b_cancelled', { ...pro, status: 'cancelled' }],
  ['demo_b_checkout', { ...pro, status: 'incomplete' }],
  ['demo_c_active', { ...pro, status: 'active' }],
  ['demo_c_cancelling', { ...pro, status: 'active', cancelAtPeriodEnd: true }],
  ['demo_c_checkout', { ...pro, status: 'incomplete' }],
])('%s', async (externalId, state) => {
  const { body } = await operator.get('/api/billing/subscriptions', { query: { externalId } });
  expect(body['data']).toMatchObject([state]);
});

test('a seat that was added at A itself is drift', async () => {
  const { body } = await operator.get('/api/billing/subscriptions', {
    query: { externalId: 'demo_a_past_due' },
  });
  const [{ id } = { id: '' }] = body['data'] as { id: string }[];
  const drift = await operator.get(`/api/billing/subscriptions/${id}/drift`);
  expect(drift.body).toMatchObject({
    inSync: false,
    differences: [{ field: 'seats', local: 1, provider: 2 }],
  });
});

test('once complete, nothing is repeated', async () => {
  const before = await checkouts();
  expect(await subscribe()).toEqual({ made: 0, failures: [] });
  expect(await checkouts()).toHaveLength(before.length);
});

test('a failure is reported, and does not keep anything from starting', async () => {
  const said: string[] = [];
  const stopped = new AbortController().signal;
  const print = (message: string): number => said.push(message);
  const stranger = { ...demo, operator: { email: DEMO_EMAIL, password: 'not the password' } };
  expect(await showProviders({ demo: stranger, runsTemporal: true, print, stopped })).toBe(false);
  expect(said).toEqual([expect.stringContaining('could not log in')]);
  expect(await showProviders({ demo: stranger, runsTemporal: false, print, stopped })).toBe(true);
  expect(said).toHaveLength(1);
  expect(await showProviders({ demo, runsTemporal: true, print, stopped })).toBe(true);
});
