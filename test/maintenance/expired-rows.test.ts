import { openDatabase, type Database } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { DAY_MS } from '../../src/domain/instant';
import { deleteOldAnswers, deleteOldOperations } from '../../src/maintenance/expired-rows-store';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { untilLockWaits } from '../support/lock-waits';
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

test.each([
  ['is being sent again', { status: 'pending', problem: null, finished_at: null }],
  ['was sent again and refused again', { finished_at: new Date() }],
])('a refused command that %s when it is about to be deleted stays', async (_, sent) => {
  const { sandbox } = await createWorkspace(fresh);
  const { workspaceId, environment } = sandbox;
  const old = new Date(Date.now() - 31 * DAY_MS);
  await fresh.query(
    `INSERT INTO tollgate.operations (workspace_id, environment, id, kind, target_id, input, idempotency_key, fingerprint,
            status, resendable, reason, request_id, created_at, finished_at, problem)
     VALUES ($1, $2, 'op_old', 'create_checkout', 'cus_1', '{}', 'key', '\\x00', 'refused', true, 'API_KEY', 'req_1', $3, $3,
            '{"code": "plan_archived", "detail": "It is archived."}')`,
    [workspaceId, environment, old],
  );
  const sender = openDatabase(fresh.url('tollgate_worker'), {
    max: 1,
    applicationName: 'sender',
    log: createLogger('test', 'silent'),
  });
  try {
    let deletion: Promise<number> | undefined;
    await inWorkspace(sender, sandbox, 'SYSTEM', async (trx) => {
      await trx('tollgate.operations')
        .where({ workspace_id: workspaceId, environment, id: 'op_old' })
        .update(sent);
      deletion = inWorkspace(database, sandbox, 'SYSTEM', (other) =>
        deleteOldOperations(other, sandbox, Date.now() - 30 * DAY_MS),
      );
      await untilLockWaits(fresh);
    });
    expect(await deletion).toBe(0);
  } finally {
    await sender.destroy();
  }
  const rows = await fresh.query('SELECT status FROM tollgate.operations WHERE workspace_id = $1', [
    workspaceId,
  ]);
  expect(rows).toHaveLength(1);
});
