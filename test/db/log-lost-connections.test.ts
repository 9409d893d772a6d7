import { openDatabase, openPipelinedPool } from '../../src/db/pools';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { until } from '../support/until';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test.each(['knex', 'pipelined'] as const)('a lost connection of the %s pool is one line', async (kind) => {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('test', 'info', {
    write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const options = { max: 1, applicationName: `lost-${kind}`, log };
  const url = database.url('tollgate_app');
  const pool = kind === 'knex' ? openDatabase(url, options) : openPipelinedPool(url, options);
  const ask = () => ('raw' in pool ? pool.raw('SELECT 1') : pool.query('SELECT 1'));
  await ask();
  await database.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
    options.applicationName,
  ]);
  await until(() => lines.length > 0);
  expect(lines[0]).toMatchObject({
    level: 'warn',
    msg: 'a database connection was lost',
    reason: 'terminating connection due to administrator command',
  });
  expect(lines.filter((line) => 'err' in line)).toEqual([]);
  // The pool opens the next connection.
  await ask();
  await ('raw' in pool ? pool.destroy() : pool.end());
});
