import { createHmac } from 'node:crypto';
import { findFreePort } from '../../src/embedded/free-port';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { complete, connect, fakeSecret, PATH, plantLegacy } from '../connections/connection-calls';
import { CatalogueSeeder } from '../support/catalogue';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { EntryPoint } from '../support/entry-point';
import { logIn, type OperatorClient } from '../support/operator';
import { processSettings } from '../support/process-settings';
import { testSecrets } from '../support/service';
import { createWorkspace, type TestWorkspace } from '../support/workspace';
import { startDevServer } from '../temporal/installation';
import { EchoingProvider } from './echoing-provider';
import { testKeys } from './keys';

/** The logs of api and worker at the level `trace`, with providers that echo every secret they receive. */
const provider = new EchoingProvider();
const keys = testKeys('k1', 'k2').keys.map(({ id, key }) => [id, key.toString('base64')] as const);
let database: TestDatabase;
let temporal: TemporalServer;
let workspace: TestWorkspace;
let client: OperatorClient;
let sandbox: string;
const processes: Record<string, EntryPoint> = {};
beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), startDevServer()]);
  const url = await provider.listen();
  const ports = await Promise.all(Array.from({ length: 3 }, () => findFreePort()));
  const [consoleAt = '', sandboxAt = '', productionAt = ''] = ports.map((port) => `http://127.0.0.1:${port}`);
  sandbox = sandboxAt;
  const environment = {
    NODE_ENV: 'test',
    TOLLGATE_LOG_LEVEL: 'trace',
    TOLLGATE_CREDENTIAL_KEYS: keys.map(([id, key]) => `${id}:${key}`).join(','),
    ...processSettings(database),
    TOLLGATE_CONSOLE_URL: consoleAt,
    TOLLGATE_SANDBOX_URL: sandboxAt,
    TOLLGATE_PRODUCTION_URL: productionAt,
    TOLLGATE_CONSOLE_PORT: String(ports[0]),
    TOLLGATE_SANDBOX_PORT: String(ports[1]),
    TOLLGATE_PRODUCTION_PORT: String(ports[2]),
    TOLLGATE_PROVIDER_A_URL: url,
    TOLLGATE_PROVIDER_B_URL: url,
    TOLLGATE_PROVIDER_C_URL: url,
    TEMPORAL_ADDRESS: temporal.address,
  };
  for (const name of ['api', 'worker']) processes[name] = new EntryPoint(name, environment);
  await Promise.all([processes['api']?.says(/listening/), processes['worker']?.says(/working/)]);
  workspace = await createWorkspace(database);
  const service = { database, urls: { console: consoleAt, sandbox: sandboxAt, production: productionAt } };
  const { workspaceId } = workspace;
  client = await logIn(service, { role: 'admin', platformAdministrator: true, workspaceId });
});
afterAll(async () => {
  for (const process of Object.values(processes)) {
    process.child.kill('SIGTERM');
    await process.exit;
  }
  provider.close();
  await temporal.stop();
  await database.drop();
});

/** All answers of the service. */
const answers: unknown[] = [];
async function statusWithoutSecrets(
  answer: Promise<{ status: number; body: Record<string, unknown> }>,
): Promise<number> {
  const { status, body } = await answer;
  answers.push(body);
  return status;
}

async function post(path: string, bytes: string, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(`${sandbox}/v1/webhooks/${path}`, { method: 'POST', headers, body: bytes });
  answers.push(await answer.text());
  return answer.status;
}

const event = (id: string, reference = 'cus_fake') =>
  JSON.stringify({
    id,
    object: 'event',
    livemode: false,
    created: 1,
    type: 'customer.subscription.updated',
    data: { object: { object: 'subscription', id: reference, customer: 'cus_fake' } },
  });
function signed(secret: string, bytes: string): Record<string, string> {
  const at = Math.floor(Date.now() / 1000);
  const mac = createHmac('sha256', secret).update(`${at}.${bytes}`).digest('hex');
  return { 'Stripe-Signature': `t=${at},v1=${mac}` };
}
const transmission = {
  'PayPal-Transmission-Id': 'transmission-fake',
  'PayPal-Transmission-Time': new Date().toISOString(),
  'PayPal-Transmission-Sig': 'c2lnbmF0dXJl',
  'PayPal-Cert-Url': 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-fake',
  'PayPal-Auth-Algo': 'SHA256withRSA',
};

test('nothing that is logged, answered or written holds a secret, a token or a key', async () => {
  const a = complete.provider_a();
  const b = { ...complete.provider_b(), webhookId: 'WHFAKE0000000001' };
  const c = complete.provider_c();
  const refused = { secretKey: fakeSecret('sk_live_'), webhookSecret: fakeSecret('whsec_') };
  const changed = { secretKey: fakeSecret('sk_test_') };
  const inPublic = { secretKey: fakeSecret('sk_test_'), webhookSecret: fakeSecret('whsec_') };

  // Connections: created, changed, refused, and one that the database refuses with an error that quotes the whole row.
  const ids = {
    a: await connect(client, { secrets: a, settings: { planReferences: { pro: 'price_fake' } } }),
    b: await connect(client, { provider: 'provider_b', secrets: b }),
    c: await connect(client, { provider: 'provider_c', secrets: c }),
  };
  expect(await statusWithoutSecrets(client.patch(`${PATH}/${ids.a}`, { body: { secrets: changed } }))).toBe(
    200,
  );
  const bodies = [{ secrets: refused }, { settings: refused }, { secrets: { other: refused.secretKey } }];
  const statuses = [];
  for (const body of bodies)
    statuses.push(await statusWithoutSecrets(client.patch(`${PATH}/${ids.a}`, { body })));
  expect(statuses).toEqual([422, 400, 400]);
  await database.query(
    "ALTER TABLE tollgate.provider_connections ADD CONSTRAINT no_boom CHECK (display_name <> 'Boom')",
  );
  const boom = {
    provider: 'provider_c',
    displayName: 'Boom',
    secrets: { secretKey: fakeSecret('sk_test_') },
  };
  expect(await statusWithoutSecrets(client.post(PATH, { body: boom }))).toBe(500);

  // Each test calls the providers, which echo what they receive.
  for (let round = 0; round < 5; round += 1) {
    for (const id of Object.values(ids))
      expect(await statusWithoutSecrets(client.post(`${PATH}/${id}/test`))).toBe(200);
  }

  // Webhooks: signed ones that cause calls to the provider, forged ones, and B's, whose verification calls carry
  // credentials.
  const seed = new CatalogueSeeder(database, workspace.sandbox);
  const [plan, customer] = [await seed.plan('logs', []), await seed.customer('logs')];
  const row = { provider: 'provider_a', anchor: Date.now() };
  const subscription = await seed.subscription(customer, plan, {
    ...row,
    current_period_end: new Date(Date.now() + 1e9),
  });
  await database.query(
    `INSERT INTO tollgate.provider_references (workspace_id, environment, provider, kind, reference, connection_id, target_id, created_at)
     VALUES ($1, 'sandbox', 'provider_a', 'subscription', 'sub_fake', $2, $3, now())`,
    [workspace.workspaceId, ids.a, subscription],
  );
  for (let round = 0; round < 4; round += 1) {
    const bytes = event(`evt_${round}`, 'sub_fake');
    const status = await post(`provider_a?connection=${ids.a}`, bytes, signed(a.webhookSecret, bytes));
    expect(status).toBeGreaterThanOrEqual(500);
    await post(`provider_b?connection=${ids.b}`, JSON.stringify({ id: `WH-${round}` }), transmission);
    const forged = { 'X-Paystack-Signature': c.secretKey, 'Stripe-Signature': changed.secretKey };
    for (const path of [`provider_a?connection=${ids.a}`, `provider_c?connection=${ids.c}`, 'provider_c']) {
      expect(await post(path, bytes, forged)).toBe(400);
    }
  }

  // Envelopes that do not open, a legacy row, and the migration of all envelopes to another key.
  const broken = await connect(client, { secrets: complete.provider_a() });
  const sql = 'UPDATE tollgate.provider_connections SET envelope = set_byte(envelope, 99, 0) WHERE id = $1';
  await database.query(sql, [broken]);
  expect(await post(`provider_a?connection=${broken}`, event('evt_x'), signed('x', event('evt_x')))).toBe(
    503,
  );
  expect(await statusWithoutSecrets(client.post(`${PATH}/${broken}/test`))).toBe(500);
  const { workspaceId } = workspace;
  await plantLegacy(database, {
    workspaceId,
    id: 'conn_legacy',
    settings: { ...inPublic, merchantId: 'M-1' },
  });
  const admin = '/api/admin/provider-credentials';
  const switched = client.post(`${admin}/active-key`, { env: null, body: { keyId: 'k2' } });
  expect(await statusWithoutSecrets(switched)).toBe(200);
  const migrated = await client.post(`${admin}/migrate`, { env: null });
  expect(migrated.body).toMatchObject({ pending: 1, migration: { migrated: 4, scrubbed: 1, skipped: 1 } });

  const log = Object.values(processes).map(({ output }) => output);
  // The failures were logged, and the secrets were really sent.
  expect(log[0]).toContain('a webhook could not be verified');
  expect(log[0]).toContain('a webhook could not be processed');
  expect(log[0]).toContain('no_boom');
  expect(log[1]).toContain('"level":"debug"');
  const basic = Buffer.from(`${b.clientId}:${b.clientSecret}`).toString('base64');
  for (const secret of [changed.secretKey, c.secretKey, basic, provider.token]) {
    expect(provider.heard).toContain(secret);
  }
  const rows: unknown[] = [];
  for (const table of ['developer_events', 'audit_records', 'platform_audit', 'webhook_failures']) {
    rows.push(await database.query(`SELECT to_jsonb(t)::text AS row FROM tollgate.${table} t`));
  }
  const everything = [...log, JSON.stringify(answers), JSON.stringify(rows)].join('\n');
  const planted = [a, b, c, refused, changed, inPublic, boom.secrets].flatMap((set) => Object.values(set));
  const others = [basic, provider.token, client.cookie.split('=')[1] ?? '', testSecrets.apiKeyPepper];
  const all = [...planted, ...others, ...keys.map(([, key]) => key)];
  // Keeps the whole text out of a failure's message.
  expect(all.filter((secret) => everything.includes(secret.slice(0, -5)))).toEqual([]);
});
