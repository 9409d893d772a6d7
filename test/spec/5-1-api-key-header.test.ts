import { createKey, createWorkspace, type TestWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/** Section 5, row 1: API-key endpoints use the header `Authorization: Bearer <API_KEY>`. */
const service = useService();
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await createWorkspace(service.database);
});

const endpoints: [string, string][] = [
  ['POST', '/v1/usage/check'],
  ['POST', '/v1/usage/track'],
  ['GET', '/v1/events'],
  ['PUT', '/v1/customers/acct_1'],
  ['GET', '/v1/customers/acct_1'],
];

async function call(
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; code: unknown }> {
  const answer = await fetch(service.urls.sandbox + path, {
    method,
    headers: {
      'Idempotency-Key': 'one',
      ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(method === 'GET' ? {} : { body: '{}' }),
  });
  return { status: answer.status, code: ((await answer.json()) as { code?: unknown }).code };
}

test.each(endpoints)('%s %s lets the key in', async (method, path) => {
  const { status } = await call(method, path, { Authorization: `Bearer ${workspace.sandboxKey}` });
  expect(status).not.toBe(401);
});

test.each(endpoints)('%s %s refuses to go without one', async (method, path) => {
  expect(await call(method, path, {})).toEqual({ status: 401, code: 'api_key_missing' });
});

test('the scheme is read in any case', async () => {
  const { status } = await call('GET', '/v1/events', { Authorization: `bearer ${workspace.sandboxKey}` });
  expect(status).toBe(200);
});

test('the key counts nowhere else', async () => {
  const key = workspace.sandboxKey;
  const missing = { status: 401, code: 'api_key_missing' };
  expect(await call('GET', '/v1/events', { Authorization: key })).toEqual(missing);
  expect(await call('GET', '/v1/events', { Authorization: `Basic ${key}` })).toEqual(missing);
  expect(await call('GET', '/v1/events', { 'X-Api-Key': key })).toEqual(missing);
  expect(await call('GET', '/v1/events', { Cookie: `api_key=${key}` })).toEqual(missing);
  expect(await call('GET', `/v1/events?api_key=${key}`, {})).toEqual(missing);
});

test('the refusal is a problem document with a fix, and says how to authenticate', async () => {
  const answer = await fetch(`${service.urls.sandbox}/v1/events`);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="Tollgate"');
  expect(await answer.json()).toMatchObject({
    status: 401,
    code: 'api_key_missing',
    fix: expect.any(String) as string,
  });
});

test('the challenge says what is wrong with a key', async () => {
  const { database, urls } = service;
  const onlyUsage = await createKey(database, workspace.sandbox, ['usage']);
  const challenge = async (key: string, path: string, method = 'GET') => {
    const answer = await fetch(urls.sandbox + path, { method, headers: { Authorization: `Bearer ${key}` } });
    return [answer.status, answer.headers.get('www-authenticate')];
  };
  const invalid = 'Bearer realm="Tollgate", error="invalid_token"';
  expect(await challenge('svc_test_nothing', '/v1/events')).toEqual([401, invalid]);
  expect(await challenge('svc_test_nothing', '/v1/usage/check', 'POST')).toEqual([401, invalid]);
  expect(await challenge(workspace.productionKey, '/v1/events')).toEqual([401, invalid]);
  expect(await challenge(onlyUsage, '/v1/events')).toEqual([
    403,
    'Bearer realm="Tollgate", error="insufficient_scope", scope="events"',
  ]);
  expect(await challenge(workspace.sandboxKey, '/v1/events?take=0')).toEqual([400, null]);
});
