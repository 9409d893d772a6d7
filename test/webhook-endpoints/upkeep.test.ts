import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { createKeyRing } from '../../src/credentials/key-ring';
import { openDatabase, type Database } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { maintain } from '../../src/maintenance/maintain';
import { forgetRolledSecrets } from '../../src/webhook-endpoints/forget-secrets';
import { createLogger } from '../../src/telemetry/logger';
import { lockSecrets } from '../../src/webhook-endpoints/endpoint-secret-store';
import { openSecrets } from '../../src/webhook-endpoints/sealed-secret';
import { startCredentialService, type CredentialService } from '../credentials/credential-service';
import { testKeys } from '../credentials/keys';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { logIn, type OperatorClient } from '../support/operator';
import { announce, deliveryOf } from '../webhook-deliveries/rig';

/** Maintenance of endpoints: secrets follow the active key, and old data is deleted. */
let database: TestDatabase;
let service: CredentialService;
let client: OperatorClient;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startCredentialService(database, { keys: testKeys('k1', 'k2') });
  client = await logIn(service, { role: 'owner', platformAdministrator: true });
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

const CREDENTIALS = '/api/admin/provider-credentials';

async function asWorker<Result>(work: (own: Database) => Promise<Result>): Promise<Result> {
  const log = createLogger('test', 'silent');
  const own = openDatabase(database.url('tollgate_worker'), { max: 2, applicationName: 'test', log });
  try {
    return await work(own);
  } finally {
    await own.destroy();
  }
}

async function secretsOf(id: string, keys: 'k2'): Promise<string[]> {
  const scope = { workspaceId: client.workspaceId, environment: 'sandbox' } as const;
  return asWorker((own) =>
    inWorkspace(own, scope, 'SYSTEM', async (trx) => {
      const sealed = await lockSecrets(trx, scope, id);
      if (sealed === undefined) throw new Error('There is no such endpoint.');
      return openSecrets(createKeyRing(testKeys(keys)), scope, id, sealed, Date.now());
    }),
  );
}

test('the report counts them, the migration seals each of a roll again, and the old key may go', async () => {
  const url = 'https://93.184.216.34/hook';
  const made = await client.post('/api/webhook-endpoints', { body: { url } });
  const id = String(made.body['id']);
  const rolled = await client.post(`/api/webhook-endpoints/${id}/roll`, { body: {} });
  const again = await client.post(`/api/webhook-endpoints/${id}/roll`, { body: {} });
  const plain = await client.post('/api/webhook-endpoints', { body: { url } });
  const shown = async () => (await client.get(`/api/webhook-endpoints/${id}`)).body;
  const before = await shown();
  expect((await client.get(`${CREDENTIALS}/migrate`, { env: null })).body).toMatchObject({
    pending: 0,
    endpointSecrets: 0,
  });
  await client.post(`${CREDENTIALS}/active-key`, { env: null, body: { keyId: 'k2' } });
  const report = await client.get(`${CREDENTIALS}/migrate`, { env: null });
  expect(report.body).toMatchObject({ pending: 2, endpointSecrets: 2, oldKey: 0 });
  expect(report.body['keys']).toContainEqual(expect.objectContaining({ id: 'k1', envelopes: 4 }));

  const migrated = await client.post(`${CREDENTIALS}/migrate`, { env: null });
  expect(migrated).toMatchObject({
    status: 200,
    body: { pending: 0, endpointSecrets: 0, migration: { migrated: 2, skipped: 0 } },
  });
  expect(migrated.body['keys']).toContainEqual(expect.objectContaining({ id: 'k2', envelopes: 4 }));
  // Nothing that its organization sees has changed, `updatedAt` included.
  expect(await shown()).toEqual(before);
  // With the new key only.
  expect(await secretsOf(id, 'k2')).toEqual([again, rolled, made].map(({ body }) => body['secret']));
  expect(await secretsOf(String(plain.body['id']), 'k2')).toEqual([plain.body['secret']]);
  const repeated = await client.post(`${CREDENTIALS}/migrate`, { env: null });
  expect(repeated.body['migration']).toMatchObject({ migrated: 0 });
});

test('a secret does not open as another endpoint’s', async () => {
  const url = 'https://93.184.216.34/hook';
  const [one, other] = [
    await client.post('/api/webhook-endpoints', { body: { url } }),
    await client.post('/api/webhook-endpoints', { body: { url } }),
  ];
  await database.query(
    `UPDATE tollgate.webhook_endpoints e SET secret_envelope = o.secret_envelope
       FROM tollgate.webhook_endpoints o WHERE e.id = $1 AND o.id = $2`,
    [one.body['id'], other.body['id']],
  );
  await expect(secretsOf(String(one.body['id']), 'k2')).rejects.toMatchObject({ code: 'credential_corrupt' });
});

test('messages go after thirty days, with their deliveries and attempts, and secrets that sign no more', async () => {
  const made = await client.post('/api/webhook-endpoints', { body: { url: 'https://93.184.216.34/hook' } });
  const id = String(made.body['id']);
  await client.post(`/api/webhook-endpoints/${id}/roll`, { body: { overlapHours: 1 } });
  const scope = { workspaceId: client.workspaceId, environment: 'sandbox' } as const;
  const now = Date.now() + 3 * HOUR_MS;
  const [old, young] = [
    await announce(database, scope, { at: now - 30 * DAY_MS - 1_000 }),
    await announce(database, scope, { at: now - 30 * DAY_MS + 60_000 }),
  ];
  await database.query(
    `INSERT INTO tollgate.webhook_attempts
       (workspace_id, environment, id, endpoint_id, message_id, attempted_at, duration_ms, answer)
     SELECT workspace_id, environment, 'wha_' || message_id, endpoint_id, message_id, created_at, 1, 'no'
       FROM tollgate.webhook_deliveries WHERE endpoint_id = $1`,
    [id],
  );
  const options = { retentionDays: 90, platformAuditDays: 365, log: createLogger('test', 'silent') };
  const migratorUrl = database.url('tollgate_migrator');
  await asWorker((own) => maintain({ ...options, database: own, migratorUrl }, now));
  expect(await deliveryOf(database, id, old)).toBeUndefined();
  expect(await deliveryOf(database, id, young)).toBeDefined();
  expect(
    await database.query('SELECT message_id FROM tollgate.webhook_attempts WHERE endpoint_id = $1', [id]),
  ).toEqual([{ message_id: young }]);
  const [row] = await database.query(
    'SELECT previous_secret_envelope AS previous FROM tollgate.webhook_endpoints WHERE id = $1',
    [id],
  );
  expect(row).toEqual({ previous: null });
});

/** Creates an endpoint that was rolled with an overlap of twelve hours, then with one of one hour. */
async function rolledTwice() {
  const made = await client.post('/api/webhook-endpoints', { body: { url: 'https://93.184.216.34/hook' } });
  const id = String(made.body['id']);
  await client.post(`/api/webhook-endpoints/${id}/roll`, { body: { overlapHours: 12 } });
  const last = await client.post(`/api/webhook-endpoints/${id}/roll`, { body: { overlapHours: 1 } });
  return { id, made, last };
}

/** Forgets the secrets that have expired after this many hours, and returns of how many endpoints. */
function forget(hours: number): Promise<number> {
  const scope = { workspaceId: client.workspaceId, environment: 'sandbox' } as const;
  return asWorker((own) =>
    inWorkspace(own, scope, 'SYSTEM', (trx) => forgetRolledSecrets(trx, scope, Date.now() + hours * HOUR_MS)),
  );
}

test('an older secret whose overlap is longer outlives the later one', async () => {
  const { id, made, last } = await rolledTwice();
  expect(await forget(2)).toBe(1);
  expect(await secretsOf(id, 'k2')).toEqual([last.body['secret'], made.body['secret']]);
  expect((await client.get(`/api/webhook-endpoints/${id}`)).body).toMatchObject({
    updatedAt: last.body['updatedAt'],
    previousSecretUntil: last.body['previousSecretUntil'],
  });
  expect(await forget(2)).toBe(0);
  expect(await forget(13)).toBe(1);
  expect(await secretsOf(id, 'k2')).toEqual([last.body['secret']]);
});

test('an older secret is forgotten at its end where an earlier version has forgotten the later one', async () => {
  const { id, made, last } = await rolledTwice();
  await database.query(
    `UPDATE tollgate.webhook_endpoints SET previous_secret_envelope = NULL, previous_secret_until = NULL
      WHERE id = $1`,
    [id],
  );
  expect(await secretsOf(id, 'k2')).toEqual([last.body['secret'], made.body['secret']]);
  expect(await forget(2)).toBe(0);
  expect(await forget(13)).toBe(1);
  const left =
    'SELECT older_secrets AS older, older_key_ids AS keys FROM tollgate.webhook_endpoints WHERE id = $1';
  expect(await database.query(left, [id])).toEqual([{ older: [], keys: [] }]);
});

test('rolled without an overlap by an earlier version, which does not know the older secrets, they all end', async () => {
  const { id, last } = await rolledTwice();
  await database.query(
    `UPDATE tollgate.webhook_endpoints
        SET secret_envelope = secret_envelope, secret_last_four = 'abcd', previous_secret_envelope = NULL,
            previous_secret_until = NULL
      WHERE id = $1`,
    [id],
  );
  expect(await secretsOf(id, 'k2')).toEqual([last.body['secret']]);
  expect(await forget(13)).toBe(0);
});
