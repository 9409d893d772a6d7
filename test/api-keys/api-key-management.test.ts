import { DAY_MS } from '../../src/domain/instant';
import { generateApiKey } from '../../src/api-keys/api-key';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService } from '../support/service';
import { until } from '../support/until';
import { useService } from '../support/use-service';

const service = useService();
afterEach(() => {
  service.clock.ahead = 0;
});

interface Created {
  id: string;
  secret: string;
  lastFour: string;
}

async function makeKey(
  client: OperatorClient,
  env: 'sandbox' | 'production' = 'sandbox',
  more: object = {},
): Promise<Created> {
  const answer = await client.post('/api/api-keys', { env, body: { name: 'Backend', ...more } });
  expect(answer.status).toBe(201);
  return answer.body as unknown as Created;
}

/** Returns the code with which a key is refused; null if it is admitted (404 for an unknown customer). */
async function refusalOf(secret: string, host = service.urls.sandbox): Promise<unknown> {
  const answer = await fetch(`${host}/v1/usage/check`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ externalId: 'nobody', feature: 'nothing', quantity: 1 }),
  });
  const { code } = (await answer.json()) as { code?: unknown };
  return answer.status === 401 ? code : null;
}

test('a key is shown once, and stored as a hash', async () => {
  const client = await logIn(service, { role: 'developer' });
  const key = await makeKey(client);
  expect(key.secret).toMatch(/^svc_test_[0-9A-Za-z]{38}$/);
  const list = await client.get('/api/api-keys');
  expect(list.body['data']).toEqual([
    {
      id: key.id,
      name: 'Backend',
      prefix: 'svc_test_',
      lastFour: key.secret.slice(-4),
      scopes: ['usage', 'customers', 'events'],
      rolledFrom: null,
      createdBy: { id: client.operatorId, name: 'Test Operator' },
      createdAt: expect.any(String) as string,
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
    },
    expect.objectContaining({ name: 'test', createdBy: null }),
  ]);
  const stored = await service.database.query(
    `SELECT to_jsonb(k)::text AS row FROM tollgate.api_keys k
     UNION ALL SELECT to_jsonb(a)::text FROM tollgate.audit_records a`,
  );
  for (const text of [JSON.stringify(list.body), JSON.stringify(stored)])
    expect(text).not.toContain(key.secret.slice(9, -4));
  expect(await refusalOf(key.secret)).toBeNull();
});

test('a revoked key stops at once here and within five seconds elsewhere; revoking again changes nothing', async () => {
  const client = await logIn(service, { role: 'developer' });
  const second = await service.another();
  const key = await makeKey(client);
  expect([await refusalOf(key.secret), await refusalOf(key.secret, second.urls.sandbox)]).toEqual([
    null,
    null,
  ]);
  const revoke = () => client.post(`/api/api-keys/${key.id}/revoke`);
  const revoked = await revoke();
  expect(revoked.status).toBe(200);
  expect(revoked.body['revokedAt']).toEqual(expect.any(String));
  expect(await refusalOf(key.secret)).toBe('api_key_revoked');
  service.clock.ahead = 4_900;
  expect(await refusalOf(key.secret, second.urls.sandbox)).toBe('api_key_revoked');
  expect((await revoke()).body['revokedAt']).toBe(revoked.body['revokedAt']);
  const [row] = await service.database.query<{ count: string }>(
    "SELECT count(*) FROM tollgate.audit_records WHERE action = 'api_key.revoked' AND target = $1",
    [key.id],
  );
  expect(row?.count).toBe('1');
});

test('a key that is in use while it is revoked does not come back from the cache', async () => {
  const client = await logIn(service, { role: 'developer' });
  for (let round = 0; round < 5; round += 1) {
    const key = await makeKey(client);
    const uses = Array.from({ length: 20 }, () => refusalOf(key.secret));
    const revoked = await client.post(`/api/api-keys/${key.id}/revoke`);
    expect(revoked.status).toBe(200);
    expect(await refusalOf(key.secret)).toBe('api_key_revoked');
    await Promise.all(uses);
    expect(await refusalOf(key.secret)).toBe('api_key_revoked');
  }
});

test('a key expires when it says so, and cannot be made expired', async () => {
  const client = await logIn(service, { role: 'developer' });
  const key = await makeKey(client, 'sandbox', { expiresAt: new Date(Date.now() + 60_000).toISOString() });
  expect(await refusalOf(key.secret)).toBeNull();
  service.clock.ahead = 61_000;
  expect(await refusalOf(key.secret)).toBe('api_key_expired');
  const answer = await client.post('/api/api-keys', {
    body: { name: 'Late', expiresAt: '2020-01-01T00:00:00Z' },
  });
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', errors: [{ pointer: '/expiresAt' }] },
  });
});

test.each<[string, (secret: string) => string, string]>([
  [
    'a damaged key',
    (secret) => `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`,
    'api_key_invalid',
  ],
  ['a key cut short', (secret) => secret.slice(0, -1), 'api_key_invalid'],
  ['a key of nobody', () => generateApiKey('sandbox'), 'api_key_invalid'],
  ['a key of the other environment', () => generateApiKey('production'), 'api_key_wrong_environment'],
  ['no key', () => '', 'api_key_missing'],
])('%s is refused', async (_name, change, code) => {
  const client = await logIn(service, { role: 'developer' });
  const { secret } = await makeKey(client);
  expect(await refusalOf(change(secret))).toBe(code);
});

test.each([
  ['undefined', 'it does not begin with svc_test_ or svc_live_.'],
  ['sk_test_4eC39HqLyjWDarjtT1zdp7dc', 'it does not begin with svc_test_ or svc_live_.'],
  ['svc_test_4eC39HqLyjWDarjtT1zdp7dc', 'its checksum does not match. Check for a typing error.'],
])('the refusal of %s says what is wrong with it', async (key, flaw) => {
  const answer = await fetch(`${service.urls.sandbox}/v1/plans`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  expect(await answer.json()).toMatchObject({ detail: `This is not a valid API key: ${flaw}` });
});

test('production keys take an admin', async () => {
  const developer = await logIn(service, { role: 'developer' });
  const admin = await logIn(service, { role: 'admin', workspaceId: developer.workspaceId });
  const refused = { status: 403, body: { code: 'role_forbidden', requiredRole: 'admin' } };
  const ask = { env: 'production' as const, body: { name: 'Backend' } };
  expect(await developer.post('/api/api-keys', ask)).toMatchObject(refused);
  const key = await makeKey(admin, 'production');
  expect(key.secret).toMatch(/^svc_live_/);
  expect(await developer.post(`/api/api-keys/${key.id}/revoke`, { env: 'production' })).toMatchObject(
    refused,
  );
  expect(await refusalOf(key.secret, service.urls.production)).toBeNull();
});

test('a key is unknown in the other environment and to another organization', async () => {
  const owner = await logIn(service, { role: 'owner' });
  const stranger = await logIn(service, { role: 'owner' });
  const key = await makeKey(owner);
  const path = `/api/api-keys/${key.id}/revoke`;
  const unknown = { status: 404, body: { code: 'api_key_not_found' } };
  expect(await owner.post(path, { env: 'production' })).toMatchObject(unknown);
  expect(await stranger.post(path)).toMatchObject(unknown);
  expect(await refusalOf(key.secret)).toBeNull();
});

test('the list pages newest first, and its cursor is good for this list only', async () => {
  const owner = await logIn(service, { role: 'owner' });
  const made: string[] = [];
  for (let count = 0; count < 4; count += 1) made.unshift((await makeKey(owner)).id);
  const seen: string[] = [];
  let query: Record<string, string> = { take: '2' };
  for (;;) {
    const { body } = await owner.get('/api/api-keys', { query });
    seen.push(...(body['data'] as { id: string }[]).map((key) => key.id));
    if (body['hasMore'] !== true) break;
    query = { take: '2', cursor: String(body['nextCursor']) };
  }
  expect(seen.slice(0, 4)).toEqual(made);
  expect(seen).toHaveLength(5);
  expect(await owner.get('/api/api-keys', { env: 'production', query })).toMatchObject({
    status: 400,
    body: { code: 'cursor_invalid' },
  });
  expect(await owner.get('/api/audit', { query })).toMatchObject({
    status: 400,
    body: { code: 'cursor_invalid' },
  });
  expect(await owner.get('/api/api-keys', { query: { take: '201' } })).toMatchObject({
    status: 400,
    body: { code: 'take_invalid' },
  });
});

test('when a key was last used is written, once a minute', async () => {
  const own = await startTestService();
  const client = await logIn(own, { role: 'developer' });
  const { id, secret } = await makeKey(client);
  const used = async (): Promise<number[]> => {
    const rows = await own.database.query<{ at: number | null }>(
      'SELECT last_used_at AS at FROM tollgate.api_keys WHERE id = $1',
      [id],
    );
    return rows.flatMap(({ at }) => (at === null ? [] : [at]));
  };
  for (let call = 0; call < 3; call += 1) expect(await refusalOf(secret, own.urls.sandbox)).toBeNull();
  await until(async () => (await used()).length > 0);
  const [first = 0] = await used();
  expect(first).toBeGreaterThan(0);
  own.clock.ahead = 30_000;
  await refusalOf(secret, own.urls.sandbox);
  own.clock.ahead = 90_000;
  await refusalOf(secret, own.urls.sandbox);
  // Stopping writes the last uses that were collected.
  await own.api.stop();
  const [second = 0] = await used();
  expect(second - first).toBeGreaterThan(80_000);
  await own.database.drop();
});

test('a key has the scopes that it was made with, each once', async () => {
  const client = await logIn(service, { role: 'developer' });
  const make = (scopes: unknown) =>
    client.post('/api/api-keys', { body: { name: 'Reader', scopes: scopes as string[] } });
  expect((await make(['read', 'billing'])).body).toMatchObject({ scopes: ['read', 'billing'] });
  for (const scopes of [[], ['read', 'read'], ['everything'], 'read', null]) {
    expect([scopes, (await make(scopes)).body['code']]).toEqual([scopes, 'validation_failed']);
  }
});

describe('rolling', () => {
  const roll = (client: OperatorClient, id: string, body: object = {}) =>
    client.post(`/api/api-keys/${id}/roll`, { body });

  test('makes a key with the same terms, and the old one remains valid for the overlap', async () => {
    const client = await logIn(service, { role: 'developer' });
    const old = await makeKey(client, 'sandbox', { scopes: ['read', 'usage'] });
    const rolled = await roll(client, old.id, { overlapHours: 1 });
    expect([rolled.status, rolled.body]).toMatchObject([
      201,
      { name: 'Backend', scopes: ['read', 'usage'], rolledFrom: old.id, expiresAt: null },
    ]);
    const fresh = rolled.body['secret'] as string;
    expect([await refusalOf(old.secret), await refusalOf(fresh)]).toEqual([null, null]);
    service.clock.ahead = 3_601_000;
    expect([await refusalOf(old.secret), await refusalOf(fresh)]).toEqual(['api_key_expired', null]);
  });

  test('without an overlap ends the old key at once; one that has ended cannot be rolled', async () => {
    const client = await logIn(service, { role: 'developer' });
    const old = await makeKey(client);
    expect(await refusalOf(old.secret)).toBeNull();
    expect((await roll(client, old.id, { overlapHours: 0 })).status).toBe(201);
    expect(await refusalOf(old.secret)).toBe('api_key_expired');
    expect((await roll(client, old.id)).body['code']).toBe('api_key_not_active');
    const revoked = await makeKey(client);
    await client.post(`/api/api-keys/${revoked.id}/revoke`);
    expect((await roll(client, revoked.id)).body['code']).toBe('api_key_not_active');
    expect((await roll(client, 'key_01jf2k7p3nfqvb9x4z6t8w2s5r')).body['code']).toBe('api_key_not_found');
  });

  test('never extends the lifetime of a key', async () => {
    const client = await logIn(service, { role: 'developer' });
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const old = await makeKey(client, 'sandbox', { expiresAt });
    expect((await roll(client, old.id)).body['expiresAt']).toBe(expiresAt);
    const list = await client.get('/api/api-keys');
    expect(list.body['data']).toContainEqual(expect.objectContaining({ id: old.id, expiresAt }));
  });

  test('again, for a successor that was lost, makes a key that does not end with the overlap', async () => {
    const client = await logIn(service, { role: 'developer' });
    const old = await makeKey(client);
    const [lost, kept] = [await roll(client, old.id), await roll(client, old.id)];
    expect([lost.body['expiresAt'], kept.body['expiresAt'], kept.body['rolledFrom']]).toEqual([
      null,
      null,
      old.id,
    ]);
    service.clock.ahead = 2 * DAY_MS;
    expect(await refusalOf(String(kept.body['secret']))).toBeNull();
    expect(await refusalOf(old.secret)).toBe('api_key_expired');
  });

  test('again, while a successor was rolled in its turn, makes a key that does not end with that overlap', async () => {
    const client = await logIn(service, { role: 'developer' });
    const expiresAt = new Date(Date.now() + 400 * DAY_MS).toISOString();
    for (const end of [undefined, expiresAt]) {
      const old = await makeKey(client, 'sandbox', end === undefined ? {} : { expiresAt: end });
      const leaked = await roll(client, old.id, { overlapHours: 24 });
      const next = await roll(client, String(leaked.body['id']), { overlapHours: 0 });
      await roll(client, String(next.body['id']), { overlapHours: 1 });
      // A process that still has the oldest key gets a separate successor.
      const again = await roll(client, old.id, { overlapHours: 24 });
      expect([again.status, again.body['expiresAt']]).toEqual([201, end ?? null]);
      expect(await refusalOf(String(again.body['secret']))).toBeNull();
    }
  });

  test('needs the role admin in production, and is audited by ids', async () => {
    const client = await logIn(service, { role: 'admin' });
    const key = await makeKey(client, 'production');
    const { workspaceId } = client;
    const developer = await logIn(service, { role: 'developer', workspaceId });
    const refused = await developer.post(`/api/api-keys/${key.id}/roll`, { env: 'production', body: {} });
    expect(refused.body['code']).toBe('role_forbidden');
    const rolled = await client.post(`/api/api-keys/${key.id}/roll`, { env: 'production', body: {} });
    const audit = await client.get('/api/audit', { env: 'production', query: { action: 'api_key.rolled' } });
    expect(audit.body['data']).toEqual([
      expect.objectContaining({
        target: rolled.body['id'],
        detail: expect.objectContaining({ rolledFrom: key.id }) as unknown,
      }),
    ]);
  });
});
