import type { Database } from '../../src/db/pools';
import { countPlatformAudit } from '../../src/platform-audit/platform-audit-store';
import {
  createClient,
  createOperator,
  logIn,
  logInAs,
  testPassword,
  type OperatorClient,
} from '../support/operator';
import { useService } from '../support/use-service';

const AUDIT = '/api/admin/audit';
const service = useService();
let database: Database;
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { platformAdministrator: true });
  database = service.open('tollgate_app', 10);
});

const list = async (query: Record<string, string> = {}): Promise<Record<string, unknown>[]> =>
  (await client.get(AUDIT, { env: null, query })).body['data'] as Record<string, unknown>[];
const attempt = (email: string, password: string): Promise<string> =>
  logInAs(service.urls.console, email, password);

test('log-ins, failed ones and log-outs are recorded, newest first', async () => {
  const { operatorId, email } = await createOperator(service.database);
  await expect(attempt(email, 'wrong password here')).rejects.toThrow('401');
  const cookie = await attempt(email, testPassword);
  const out = await fetch(`${service.urls.console}/api/auth/logout`, {
    method: 'POST',
    headers: { Cookie: cookie, Origin: service.urls.console },
  });
  expect(out.status).toBe(204);
  const records = await list({ operatorId });
  expect(records.map(({ action }) => action)).toEqual([
    'operator.logged_out',
    'operator.logged_in',
    'operator.login_failed',
  ]);
  for (const record of records) {
    expect(record).toMatchObject({
      count: 1,
      operator: { id: operatorId, email },
      ip: '127.0.0.1',
      detail: {},
    });
  }
});

test('a session that is ended from another one is recorded, once', async () => {
  const { operatorId, email, ...operator } = await logIn(service, { role: 'viewer' });
  const session = createClient(service.urls.console, { ...operator, operatorId, email });
  const cookie = await attempt(email, testPassword);
  const other = createClient(service.urls.console, { ...operator, operatorId, email, cookie });
  const mine = await session.get('/api/auth/session', { env: null });
  const { id } = mine.body['session'] as { id: string };
  expect((await other.delete(`/api/auth/sessions/${id}`, { env: null })).status).toBe(204);
  expect((await other.delete(`/api/auth/sessions/${id}`, { env: null })).status).toBe(404);
  expect(await list({ operatorId, action: 'operator.session_ended' })).toEqual([
    expect.objectContaining({ count: 1, ip: '127.0.0.1', detail: { sessionId: id } }),
  ]);
});

test('a log-in of an unknown account is recorded without what was typed', async () => {
  await expect(attempt('typed-a-password@example.test', 'x')).rejects.toThrow('401');
  const records = await list({ action: 'operator.login_failed' });
  expect(records[0]).toMatchObject({ operator: null, ip: '127.0.0.1' });
  expect(JSON.stringify(records)).not.toContain('typed-a-password');
});

test('pages follow each other, and a cursor is good for its filters only', async () => {
  const first = await client.get(AUDIT, { env: null, query: { take: '2' } });
  expect(first.body['hasMore']).toBe(true);
  const cursor = String(first.body['nextCursor']);
  const next = await client.get(AUDIT, { env: null, query: { take: '2', cursor } });
  const ids = [first, next].flatMap(({ body }) => (body['data'] as { id: string }[]).map(({ id }) => id));
  expect(ids).toEqual((await list({ take: '200' })).slice(0, ids.length).map(({ id }) => id));
  const other = await client.get(AUDIT, { env: null, query: { cursor, action: 'operator.logged_in' } });
  expect(other).toMatchObject({ status: 400, body: { code: 'cursor_invalid' } });
});

test.each(['viewer', 'owner'] as const)('the platform’s audit is not for a %s', async (role) => {
  const member = await logIn(service, { role });
  expect(await member.get(AUDIT, { env: null })).toMatchObject({
    status: 403,
    body: { code: 'platform_administrator_required' },
  });
});

test('a flood raises one count: the sum is the number of attempts, and the table does not grow with it', async () => {
  const receivedAt = Date.UTC(2030, 0, 1, 12, 0, 30);
  const who = { operatorId: null, ip: '192.0.2.1', receivedAt };
  const act = { action: 'webhook.refused', host: 'sandbox', provider: 'provider_a' };
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(Array.from({ length: 30 }, () => countPlatformAudit(database, who, act, 20)));
  }
  const [row] = await service.database.query<{ rows: number; sum: number }>(
    "SELECT count(*)::int AS rows, sum(count)::int AS sum FROM tollgate.platform_audit WHERE action = 'webhook.refused'",
  );
  expect(row?.sum).toBe(300);
  // Checks made at the same moment may exceed the bound together, once.
  expect(row?.rows).toBeLessThanOrEqual(20 + 30 + 1);
  await countPlatformAudit(database, { ...who, receivedAt: receivedAt + 60_000 }, act, 20);
  const [newest] = await list({ action: 'webhook.refused' });
  expect(newest).toMatchObject({ count: 1, host: 'sandbox', provider: 'provider_a' });
});
