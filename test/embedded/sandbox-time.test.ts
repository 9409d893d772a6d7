import { latestSandboxTime } from '../../src/embedded/sandbox-time';
import { DAY_MS } from '../../src/domain/instant';
import { newIdentifier } from '../../src/identifiers/identifier';
import { plantLegacy } from '../connections/connection-calls';
import { startSlowPostgres } from '../support/slow-postgres';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createWorkspace } from '../support/workspace';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('is real time while no sandbox was moved, and then that of the connected one that is furthest ahead', async () => {
  const cluster = process.env['TOLLGATE_TEST_POSTGRES_URL'] ?? '';
  const ahead = async (): Promise<number> => {
    const before = Date.now();
    return Math.round(((await latestSandboxTime(cluster, database.name)) - before) / DAY_MS);
  };
  const connect = (workspaceId: string) =>
    plantLegacy(database, { workspaceId, id: newIdentifier('connection'), settings: {} });
  let furthest = '';
  expect(await ahead()).toBe(0);
  for (const days of [3, 400, 20]) {
    const { workspaceId } = await createWorkspace(database);
    const values = [workspaceId, days * DAY_MS];
    await database.query(`INSERT INTO tollgate.sandbox_clocks VALUES ($1, 'sandbox', $2, now())`, values);
    // The one that is furthest ahead has nothing to do with the providers.
    if (days === 400) furthest = workspaceId;
    else await connect(workspaceId);
  }
  expect(await ahead()).toBe(20);
  await connect(furthest);
  expect(await ahead()).toBe(400);
});

test('cannot be read from a Postgres that ends meanwhile, which is the reader’s error and no end of this process', async () => {
  const ending = await startSlowPostgres();
  ending.onQuery = (socket) => socket.resetAndDestroy();
  await expect(latestSandboxTime(ending.url, 'tollgate')).rejects.toThrow('ECONNRESET');
  await ending.stop();
});
