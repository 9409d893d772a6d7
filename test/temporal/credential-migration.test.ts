import { systemClock } from '../../src/clock/system-clock';
import { createProviderCredentials } from '../../src/connections/credential-migration-service';
import { createKeyRing } from '../../src/credentials/key-ring';
import { openDatabase, type Database } from '../../src/db/pools';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { createWorkerActivities } from '../../src/service/worker-activities';
import { createLogger } from '../../src/telemetry/logger';
import { createTemporalClient } from '../../src/temporal/client';
import { createMigrationStart } from '../../src/temporal/start-migration';
import { credentialMigrationWorkflowId } from '../../src/temporal/workflow-ids';
import { plantLegacy } from '../connections/connection-calls';
import { testKeys } from '../credentials/keys';
import { plantSealed } from '../credentials/planted';
import { textOfHistory } from '../support/history-text';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { TIMEOUT_MS, until } from '../support/until';
import { createWorkspace, type TestWorkspace } from '../support/workspace';
import { TEST_URLS, startDevServer, startWorkerWith, type Running } from './installation';

/** The migration through Temporal: started without a worker, finished by one, and reported in ids and counts. */
let database: TestDatabase;
let api: Database;
let connections: Database;
let temporal: TemporalServer;
let workspace: TestWorkspace;
let worker: Running | undefined;
const log = createLogger('test', 'silent');
const keyRing = createKeyRing(testKeys('k1', 'k2'));
beforeAll(async () => {
  temporal = await startDevServer();
  database = await createTestDatabase();
  workspace = await createWorkspace(database);
  api = openDatabase(database.url('tollgate_app'), { max: 5, applicationName: 'test', log });
  connections = openDatabase(database.url('tollgate_worker'), { max: 5, applicationName: 'test', log });
});
afterAll(async () => {
  await worker?.stop();
  await temporal.stop();
  await Promise.all([api.destroy(), connections.destroy()]);
  await database.drop();
});

test('a run outlives who asked for it, is joined, and leaves no secret in its history', async () => {
  await database.query(
    "INSERT INTO tollgate.key_ring_state (active_key_id, switched_at) VALUES ('k2', now())",
  );
  const ids = await plantSealed(database, workspace.sandbox, 230);
  const { workspaceId } = workspace;
  const settings = { secretKey: 'sk_test_fake_in_public' };
  await plantLegacy(database, { workspaceId, id: 'conn_legacy', settings });
  const client = createTemporalClient({ address: temporal.address, namespace: 'default' });
  const startMigration = createMigrationStart(client, systemClock);
  const credentials = (timeoutMs: number) =>
    createProviderCredentials({ database: api, keyRing, startMigration, timeoutMs });
  const operator = { operatorId: null, ip: null, receivedAt: Date.now() };

  const started = await credentials(300).migrate(operator);
  expect(started).toMatchObject({ done: false, report: { pending: 231, migration: { status: 'running' } } });
  worker = startWorkerWith(temporal.address, (its) =>
    createWorkerActivities({
      database: connections,
      client: its,
      clock: systemClock,
      keyRing,
      urls: TEST_URLS,
    }),
  );
  const joined = await credentials(TIMEOUT_MS).migrate(operator);
  expect(joined).toMatchObject({
    done: true,
    report: {
      pending: 0,
      connections: 231,
      migration: {
        id: started.report.migration?.id,
        status: 'complete',
        migrated: 231,
        scrubbed: 1,
        skipped: 0,
      },
    },
  });
  const handle = client.workflow.getHandle(credentialMigrationWorkflowId(joined.report.migration?.id ?? ''));
  await until(async () => (await handle.describe()).status.name === 'COMPLETED');
  const { events } = await handle.fetchHistory();
  const text = textOfHistory(events);
  // The last id of a batch is the next batch's cursor, so finding one proves that the payloads were read.
  expect(ids.some((id) => text.includes(id))).toBe(true);
  for (const absent of ['sk_test', 'secretKey', workspaceId, 'envelope']) expect(text).not.toContain(absent);
  await client.connection.close();
});
