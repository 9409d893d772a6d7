import { openDatabase, type Database } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { DAY_MS } from '../../src/domain/instant';
import { deleteOldAnswers } from '../../src/maintenance/expired-rows-store';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { tuplesRead } from '../support/tuples-read';
import { createWorkspace } from '../support/workspace';

const ROWS = 500;

let fresh: TestDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await createTestDatabase();
  const log = createLogger('test', 'silent');
  database = openDatabase(fresh.url('tollgate_worker'), { max: 1, applicationName: 'expired-rows', log });
});
afterAll(async () => {
  await database.destroy();
  await fresh.drop();
});

test('a batch reads each of its rows a few times, even of a table without statistics', async () => {
  const { sandbox } = await createWorkspace(fresh);
  await fresh.query('ALTER TABLE tollgate.idempotency_answers SET (autovacuum_enabled = false)');
  await fresh.query(
    `INSERT INTO tollgate.idempotency_answers (workspace_id, environment, idempotency_key, fingerprint, status, body, created_at)
     SELECT $1, $2, 'old ' || number, '\\x00', 200, '{}', $3 FROM generate_series(1, ${ROWS}) AS number`,
    [sandbox.workspaceId, sandbox.environment, new Date(Date.now() - 31 * DAY_MS)],
  );
  const [deleted, read] = await inWorkspace(database, sandbox, 'SYSTEM', async (trx) => {
    const count = await deleteOldAnswers(trx, sandbox, Date.now() - 30 * DAY_MS);
    return [count, await tuplesRead(trx, 'tollgate.idempotency_answers')];
  });
  expect(deleted).toBe(ROWS);
  expect(read).toBeLessThan(20 * ROWS);
});
