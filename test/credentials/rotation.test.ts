import { createTestDatabase, type TestDatabase } from '../support/database';
import { logIn, type OperatorClient } from '../support/operator';
import { startCredentialService, type CredentialService } from './credential-service';
import { testKeys } from './keys';
import { plantSealed } from './planted';
import { Script } from './script';

/** A rotation as operators perform it, while two processes constantly open and edit connections. */
let database: TestDatabase;
let service: CredentialService;
let client: OperatorClient;
const scripts: Script[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startCredentialService(database, { keys: testKeys('k1', 'k2') });
  client = await logIn(service, { platformAdministrator: true });
});
afterAll(async () => {
  await Promise.all(scripts.map((script) => script.stop('SIGKILL')));
  await service.stop();
  await database.drop();
});

interface Result {
  opened: number;
  edited: number;
  failures: string[];
}

test('from the old key to the new one, no secret fails to open and no edit is lost', async () => {
  const scope = { workspaceId: client.workspaceId, environment: 'sandbox' } as const;
  const ids = await plantSealed(database, scope, 60);
  const start = async (keys: string): Promise<Script> => {
    const script = new Script('reading-process', [
      database.url('tollgate_app'),
      scope.workspaceId,
      keys,
      ids.join(','),
    ]);
    scripts.push(script);
    await script.said(1);
    return script;
  };
  const results: Result[] = [];
  const end = async (script: Script): Promise<void> => {
    const lines = await script.stop('SIGTERM');
    results.push(JSON.parse(lines.at(-1) ?? '') as Result);
  };
  const credentials = '/api/admin/provider-credentials';
  const switchTo = (keyId: string) =>
    client.post(`${credentials}/active-key`, { env: null, body: { keyId } });

  let [one, other] = [await start('k1'), await start('k1')];
  const replace = async (old: Script, keys: string): Promise<Script> => {
    const successor = await start(keys);
    await end(old);
    return successor;
  };
  expect((await switchTo('k2')).status).toBe(409);
  one = await replace(one, 'k1,k2');
  expect((await switchTo('k2')).status).toBe(409);
  other = await replace(other, 'k1,k2');
  expect((await switchTo('k2')).status).toBe(200);
  const migrated = await client.post(`${credentials}/migrate`, { env: null });
  expect(migrated).toMatchObject({ status: 200, body: { pending: 0, migration: { skipped: 0 } } });
  one = await replace(one, 'k2');
  other = await replace(other, 'k2');
  await end(one);
  await end(other);

  expect(results).toHaveLength(6);
  expect(results.flatMap(({ failures }) => failures)).toEqual([]);
  for (const { opened } of results) expect(opened).toBeGreaterThan(0);
  // Each edit and each migrated envelope is one revision: none has overwritten another.
  const edits = results.reduce((sum, { edited }) => sum + edited, 0);
  const [row] = await database.query<{ revisions: number; keys: string[] }>(
    'SELECT sum(revision - 1)::int AS revisions, array_agg(DISTINCT key_id) AS keys FROM tollgate.provider_connections',
  );
  const moved = (migrated.body['migration'] as { migrated: number }).migrated;
  expect(row).toEqual({ revisions: edits + moved, keys: ['k2'] });
});
