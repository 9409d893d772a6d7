import { randomInt } from 'node:crypto';
import { openSecrets } from '../../src/connections/sealed-secrets';
import { createKeyRing } from '../../src/credentials/key-ring';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createWorkspace, type TestWorkspace } from '../support/workspace';
import { testKeys } from './keys';
import { plantSealed } from './planted';
import { Script } from './script';

let database: TestDatabase;
let workspace: TestWorkspace;
beforeAll(async () => {
  database = await createTestDatabase();
  workspace = await createWorkspace(database);
});
afterAll(() => database.drop());

test('a migration that is killed ten times resumes: each connection once, and every secret opens', async () => {
  const ids = await plantSealed(database, workspace.sandbox, 250);
  await database.query(
    "INSERT INTO tollgate.key_ring_state (active_key_id, switched_at) VALUES ('k2', now())",
  );
  await database.query(
    `INSERT INTO tollgate.credential_migrations (id, key_id, status, started_at, updated_at)
     VALUES ('mig_test', 'k2', 'running', now(), now())`,
  );
  const run = (lines: number): Script =>
    new Script('migrating-process', [database.url('tollgate_worker'), 'mig_test', String(lines)]);
  let done = 0;
  for (let kill = 0; kill < 10; kill += 1) {
    // Those already migrated are checked again, and each prints a line. A kill that is late finds it standing still.
    const script = run(done + 20);
    await script.said(done + randomInt(1, 20));
    await script.stop('SIGKILL');
    expect(script.child.signalCode).toBe('SIGKILL');
    const [row] = await database.query<{ migrated: number; status: string }>(
      "SELECT migrated, status FROM tollgate.credential_migrations WHERE id = 'mig_test'",
    );
    expect(row?.status).toBe('running');
    expect(row?.migrated).toBeGreaterThanOrEqual(done);
    done = row?.migrated ?? 0;
  }
  expect(done).toBeLessThan(ids.length);
  await run(Infinity).said(Infinity);

  const [row] = await database.query('SELECT * FROM tollgate.credential_migrations');
  expect(row).toMatchObject({ status: 'complete', migrated: ids.length, scrubbed: 0, skipped: 0 });
  const rows = await database.query<{ id: string; revision: number; key_id: string }>(
    'SELECT * FROM tollgate.provider_connections',
  );
  const ring = createKeyRing(testKeys('k2'));
  for (const connection of rows) {
    expect(connection).toMatchObject({ key_id: 'k2', revision: 2 });
    const secrets = openSecrets(ring, workspace.sandbox, connection as never);
    expect(secrets).toEqual({ secretKey: `sk_test_fake_${connection.id}` });
  }
  const [events] = await database.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM tollgate.developer_events WHERE type = 'CREDENTIALS_CHANGED'",
  );
  expect(events?.count).toBe(ids.length);
});
