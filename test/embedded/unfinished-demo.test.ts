import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase, openPipelinedPool, type Database } from '../../src/db/pools';
import { clearUnfinishedDemo } from '../../src/embedded/demo/clear-unfinished-demo';
import { DEMO_EMAIL, makeDemo, type DemoOptions } from '../../src/embedded/demo/make-demo';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { EntryPoint } from '../support/entry-point';
import { Integrator } from '../support/integrator';
import { testPassword } from '../support/operator';
import { processSettings } from '../support/process-settings';
import { startTestService, testSecrets, type TestService } from '../support/service';
import { createWorkspace } from '../support/workspace';
import { createLogger } from '../../src/telemetry/logger';

const log = createLogger('test', 'silent');

describe('a start that is interrupted while it makes the demo', () => {
  let service: TestService;
  let database: Database;
  let pipelined: ReturnType<typeof openPipelinedPool>;
  beforeAll(async () => {
    service = await startTestService();
    const pool = { max: 2, applicationName: 'test-demo', log };
    database = openDatabase(service.database.url('tollgate_app'), pool);
    pipelined = openPipelinedPool(service.database.url('tollgate_app'), pool);
  });
  afterAll(async () => {
    await Promise.all([database.destroy(), pipelined.end()]);
    await service.stop();
  });

  const options = (more: Partial<DemoOptions> = {}): DemoOptions => ({
    ...testSecrets,
    database,
    pipelined,
    urls: service.urls,
    clock: service.clock,
    log,
    operatorPassword: testPassword,
    ...more,
  });
  const customersOf = async (workspaceId: string): Promise<number> =>
    (await service.database.query('SELECT FROM tollgate.customers WHERE workspace_id = $1', [workspaceId]))
      .length;

  test('is made up for by the next one, and nothing that was in use is removed', async () => {
    const unreachable = openPipelinedPool('postgres://nobody@127.0.0.1:1/none', {
      max: 1,
      applicationName: 'test-gone',
      log,
    });
    await expect(makeDemo(options({ pipelined: unreachable }))).rejects.toThrow('ECONNREFUSED');
    await unreachable.end();

    await clearUnfinishedDemo(service.database.adminUrl);
    const demo = await makeDemo(options());
    const api = new Integrator(service.urls.sandbox, demo.sandboxKey);
    expect((await api.check('demo_acme', 'ai_tokens', 1)).body).toMatchObject({ allowed: true });
    const [{ plans } = { plans: 0 }] = await service.database.query<{ plans: string }>(
      "SELECT count(*) AS plans FROM tollgate.plans WHERE workspace_id = $1 AND environment = 'production'",
      [demo.organizationId],
    );
    expect(Number(plans)).toBeGreaterThan(2);

    // Another organization of the same operator has no key yet, and has a customer that was created in the console.
    const other = await createWorkspace(service.database);
    await service.database.query(
      `INSERT INTO tollgate.organization_members (workspace_id, operator_id, role, created_at)
       SELECT $1, id, 'owner', now() FROM tollgate.operators WHERE email = $2`,
      [other.workspaceId, DEMO_EMAIL],
    );
    await service.database.query('DELETE FROM tollgate.api_keys WHERE workspace_id = $1', [
      other.workspaceId,
    ]);
    await service.database.query(
      `INSERT INTO tollgate.customers (workspace_id, environment, id, external_id, metadata, created_at, updated_at)
       VALUES ($1, 'sandbox', 'cus_1', 'acct_1', '{}', now(), now())`,
      [other.workspaceId],
    );
    const before = await customersOf(demo.organizationId);
    await clearUnfinishedDemo(service.database.adminUrl);
    expect(await customersOf(demo.organizationId)).toBe(before);
    expect(await customersOf(other.workspaceId)).toBe(1);
  });
});

describe('a demo.json that is of another database', () => {
  let directory: string;
  let databases: TestDatabase[];
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'tollgate-demo-'));
    databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
  });
  afterAll(async () => {
    await rm(directory, { recursive: true, force: true });
    for (const database of databases) await database.drop();
  });

  /** Runs the demo as the start does, and returns what it recorded. */
  async function demo(database: TestDatabase): Promise<{ organizationId: string; sandboxKey: string }> {
    const process = new EntryPoint('demo', {
      ...processSettings(database),
      TOLLGATE_DATA_DIR: directory,
      TOLLGATE_OPERATOR_PASSWORD: testPassword,
      TOLLGATE_CREDENTIAL_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    });
    expect([(await process.exit).code, process.output]).toEqual([0, expect.anything()]);
    return JSON.parse(await readFile(path.join(directory, 'demo.json'), 'utf8')) as Awaited<
      ReturnType<typeof demo>
    >;
  }

  test('is not taken for this one’s: the demo is made, and kept by the next start', async () => {
    const [first, second] = databases;
    if (first === undefined || second === undefined) throw new Error('There are two.');
    const there = await demo(first);
    const here = await demo(second);
    expect(here.organizationId).not.toBe(there.organizationId);
    expect(await second.query('SELECT workspace_id AS id FROM tollgate.organizations')).toEqual([
      { id: here.organizationId },
    ]);
    expect(await demo(second)).toEqual(here);
  });
});
