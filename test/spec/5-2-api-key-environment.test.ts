import { logIn } from '../support/operator';
import { createWorkspace, type TestWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/** Section 5, row 2: `svc_test_` keys work on the sandbox host only, `svc_live_` keys on the production host only. */
const service = useService();
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await createWorkspace(service.database);
});

async function read(host: string, key: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${host}/v1/events`, { headers: { Authorization: `Bearer ${key}` } });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

test('keys made in the console carry their environment’s prefix and work on its host', async () => {
  const client = await logIn(service, { role: 'owner', workspaceId: workspace.workspaceId });
  for (const [env, prefix, host] of [
    ['sandbox', 'svc_test_', service.urls.sandbox],
    ['production', 'svc_live_', service.urls.production],
  ] as const) {
    const { body } = await client.post('/api/api-keys', { env, body: { name: 'Backend' } });
    expect(body['secret']).toEqual(expect.stringMatching(new RegExp(`^${prefix}`)));
    expect((await read(host, String(body['secret']))).status).toBe(200);
  }
});

test('a key on the other host is refused, with the right host', async () => {
  const sandboxKey = await read(service.urls.production, workspace.sandboxKey);
  expect(sandboxKey).toMatchObject({ status: 401, body: { code: 'api_key_wrong_environment' } });
  expect(sandboxKey.body['detail']).toContain('http://sandbox.test');
  const productionKey = await read(service.urls.sandbox, workspace.productionKey);
  expect(productionKey).toMatchObject({ status: 401, body: { code: 'api_key_wrong_environment' } });
  expect(productionKey.body['detail']).toContain('http://production.test');
});

test('a key whose prefix was exchanged is no key', async () => {
  const forged = workspace.sandboxKey.replace('svc_test_', 'svc_live_');
  expect(await read(service.urls.production, forged)).toMatchObject({
    status: 401,
    body: { code: 'api_key_invalid' },
  });
});

test('a live hash under the other environment opens nothing', async () => {
  await service.database.query(
    'UPDATE tollgate.api_keys SET revoked_at = now() WHERE workspace_id = $1 AND id = $2',
    [workspace.workspaceId, workspace.sandboxKeyId],
  );
  const other = await createWorkspace(service.database, 'Other');
  await service.database.query(
    `UPDATE tollgate.api_keys SET key_hash = (SELECT key_hash FROM tollgate.api_keys WHERE id = $1)
      WHERE workspace_id = $2 AND environment = 'production'`,
    [other.sandboxKeyId, other.workspaceId],
  );
  await service.database.query('DELETE FROM tollgate.api_keys WHERE id = $1', [other.sandboxKeyId]);
  expect((await read(service.urls.sandbox, other.sandboxKey)).status).toBe(401);
});
