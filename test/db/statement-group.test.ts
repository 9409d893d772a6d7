import type { Pool } from 'pg';
import { bytesArray, plainArray, textArray } from '../../src/db/parameters';
import { PipelinedTransaction, type Statement } from '../../src/db/pipeline';
import { openPipelinedPool } from '../../src/db/pools';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from '../support/database';

const statement = (name: string, text: string, ...values: string[]): Statement => ({ name, text, values });
const context = {
  scope: { workspaceId: 'org_here', environment: 'sandbox' },
  reason: 'API_KEY',
  lockTimeoutMs: 250,
} as const;

describe('statements that travel together', () => {
  let database: TestDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    const log = createLogger('test', 'silent');
    // One connection: anything that a transaction leaves on it would be visible to the next.
    pool = openPipelinedPool(database.url('tollgate_app'), { max: 1, applicationName: 'group', log });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  function run(...statements: Statement[]): Promise<Record<string, unknown>[][]> {
    return PipelinedTransaction.run(pool, async (transaction) => {
      const results = await transaction.begin(context, statements);
      await transaction.commit([]);
      return results.map(({ rows }) => rows);
    });
  }

  test('each answers its own rows, the first time and when it is prepared', async () => {
    const statements = [
      statement('two', 'SELECT n, NULL AS nothing FROM generate_series(1, $1::int) AS n', '2'),
      statement('none', 'SELECT 1 WHERE false'),
      statement(
        'one',
        `SELECT $1::json AS json, 1.50::numeric AS exact, '\\x00ff'::bytea AS bytes`,
        '{"a":[1]}',
      ),
    ];
    const rows = [
      [
        { n: 1, nothing: null },
        { n: 2, nothing: null },
      ],
      [],
      [{ json: { a: [1] }, exact: '1.50', bytes: Buffer.from([0, 255]) }],
    ];
    await expect(run(...statements)).resolves.toEqual(rows);
    await expect(run(...statements)).resolves.toEqual(rows);
  });

  test('a failure names its statement, the transaction is rolled back, and the connection stays usable', async () => {
    const divide = (by: string): Statement => statement('divide', 'SELECT 1 / $1::int AS quotient', by);
    const before = statement('before', "SELECT set_config('tollgate.reason', 'CHANGED', true)");
    const process = statement('process', 'SELECT pg_backend_pid() AS pid');
    const [first] = await run(process);
    for (let time = 0; time < 2; time += 1) {
      await expect(run(before, divide('0'), process)).rejects.toMatchObject({
        statement: 'divide',
        code: '22012',
      });
    }
    await expect(run(divide('1'), process)).resolves.toEqual([[{ quotient: 1 }], first]);
  });

  test('the tenant ends with the transaction', async () => {
    const tenant = statement('tenant', 'SELECT tollgate.workspace_id() AS tenant');
    await expect(run(tenant)).resolves.toEqual([[{ tenant: 'org_here' }]]);
    const { rows } = await pool.query<{ tenant: string | null }>('SELECT tollgate.workspace_id() AS tenant');
    expect(rows).toEqual([{ tenant: null }]);
  });

  test('arrays come back as they were sent', async () => {
    const texts = [
      '',
      'a',
      'NULL',
      'with "quotes"',
      'back\\slash\\',
      '{a,b}',
      ' spaced ',
      'line\nfeed',
      'ä😀',
    ];
    const bytes = [Buffer.alloc(0), Buffer.from([0, 34, 92, 255])];
    const arrays = statement(
      'arrays',
      'SELECT to_json($1::text[]) AS texts, to_json($2::text[]) AS plain, $3::bytea[] AS bytes, to_json($4::text[]) AS none',
      textArray(texts),
      plainArray(['cus_1', '12.5']),
      bytesArray(bytes),
      textArray([]),
    );
    await expect(run(arrays)).resolves.toEqual([[{ texts, plain: ['cus_1', '12.5'], bytes, none: [] }]]);
  });
});
