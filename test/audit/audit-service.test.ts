import { Integrator } from '../support/integrator';
import { logIn } from '../support/operator';
import { useService } from '../support/use-service';

const service = useService();

interface AuditRecord {
  id: string;
  action: string;
  target: string | null;
  environment: string | null;
}

test('records tell who, what, when and from where, newest first, each environment with the organization’s own', async () => {
  const owner = await logIn(service, { role: 'owner' });
  const path = `/api/organizations/${owner.workspaceId}`;
  const sandboxKey = await owner.post('/api/api-keys', { body: { name: 'One' } });
  await owner.post('/api/api-keys', { env: 'production', body: { name: 'Two' } });
  await owner.patch(path, { env: null, body: { name: 'Renamed' } });

  const { body } = await owner.get('/api/audit');
  const records = body['data'] as AuditRecord[];
  expect(records.map(({ action, environment }) => [action, environment])).toEqual([
    ['organization.renamed', null],
    ['api_key.created', 'sandbox'],
  ]);
  expect(records[1]).toMatchObject({
    target: sandboxKey.body['id'],
    operator: { id: owner.operatorId, email: owner.email },
    reason: 'OPERATOR',
    ip: '127.0.0.1',
    detail: { name: 'One', lastFour: sandboxKey.body['lastFour'] },
    createdAt: sandboxKey.body['createdAt'],
  });
  const production = (await owner.get('/api/audit', { env: 'production' })).body['data'] as AuditRecord[];
  expect(production.map(({ environment }) => environment)).toEqual([null, 'production']);
});

test('records are filtered and paged, and new ones do not disturb the pages', async () => {
  const owner = await logIn(service, { role: 'owner' });
  const admin = await logIn(service, { role: 'admin', workspaceId: owner.workspaceId });
  for (let count = 0; count < 4; count += 1) {
    await owner.post('/api/api-keys', { body: { name: `Key ${count}` } });
    await admin.patch('/api/billing/settings', { body: { graceDays: count } });
  }
  const query: Record<string, string> = {
    action: 'api_key.created',
    operatorId: owner.operatorId,
    take: '3',
  };
  const first = await owner.get('/api/audit', { query });
  expect(first.body).toMatchObject({ hasMore: true });
  await owner.post('/api/api-keys', { body: { name: 'Later' } });
  const cursor = String(first.body['nextCursor']);
  const second = await owner.get('/api/audit', { query: { ...query, cursor } });
  expect(second.body['hasMore']).toBe(false);
  const seen = [first, second].flatMap(
    ({ body }) => body['data'] as (AuditRecord & { detail: { name: string } })[],
  );
  expect(seen.map(({ detail }) => detail.name)).toEqual(['Key 3', 'Key 2', 'Key 1', 'Key 0']);
  for (const other of [{ ...query, action: 'settings.changed' }, { take: '3' }]) {
    expect(await owner.get('/api/audit', { query: { ...other, cursor } })).toMatchObject({
      status: 400,
      body: { code: 'cursor_invalid' },
    });
  }
  expect(await owner.get('/api/audit', { query: { color: 'red' } })).toMatchObject({ status: 400 });
});

test('an act that fails leaves no record', async () => {
  const owner = await logIn(service, { role: 'owner' });
  const path = `/api/organizations/${owner.workspaceId}/members/${owner.operatorId}`;
  expect((await owner.delete(path, { env: null })).status).toBe(409);
  expect((await owner.patch('/api/billing/settings', { body: { expireAfterDays: 1 } })).status).toBe(400);
  expect((await owner.get('/api/audit')).body).toEqual({ data: [], hasMore: false });
});

test('records cannot be changed or removed by the service', async () => {
  const rights = await service.database.query<{ privilege_type: string }>(
    "SELECT privilege_type FROM information_schema.role_table_grants WHERE table_name = 'audit_records' AND grantee = 'tollgate_runtime'",
  );
  expect(rights.map((right) => right.privilege_type).sort()).toEqual(['INSERT', 'SELECT']);
});

test('acts by an API key name the key, and are found by it', async () => {
  const owner = await logIn(service, { role: 'owner' });
  const created = await owner.post('/api/api-keys', { body: { name: 'App', scopes: ['customers'] } });
  const caller = new Integrator(service.urls.sandbox, String(created.body['secret']));
  expect((await caller.send('PUT', '/v1/customers/buyer', { name: 'Buyer' })).status).toBe(201);
  expect((await caller.send('PUT', '/v1/customers/buyer', { name: 'The buyer' })).status).toBe(200);
  const { id, lastFour } = created.body;
  const { body } = await owner.get('/api/audit', { query: { apiKeyId: String(id) } });
  expect(body['data']).toMatchObject([
    { action: 'customer.updated', detail: { externalId: 'buyer', changed: ['name'] } },
    {
      action: 'customer.created',
      reason: 'API_KEY',
      operator: null,
      apiKey: { id, name: 'App', lastFour },
      detail: { externalId: 'buyer' },
    },
  ]);
  const text = JSON.stringify(body);
  expect(text).not.toContain(String(created.body['secret']));
  const others = await owner.get('/api/audit', { query: { apiKeyId: 'key_00000000000000000000000000' } });
  expect(others.body['data']).toEqual([]);
});
