import { openDatabase, type Database } from '../../src/db/pools';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from '../support/database';

let scratch: TestDatabase;
let database: Database;
beforeAll(async () => {
  scratch = await createTestDatabase();
  database = openDatabase(scratch.url('tollgate_app'), {
    max: 1,
    applicationName: 'repeated-statements',
    log: createLogger('test', 'silent'),
  });
});
afterAll(async () => {
  await database.destroy();
  await scratch.drop();
});

const ask = async (sql: string, values: number[] = [1]): Promise<unknown[]> =>
  (await database.raw<{ rows: unknown[] }>(sql, values)).rows;
const prepared = async (): Promise<string[]> =>
  ((await ask('SELECT statement FROM pg_prepared_statements', [])) as { statement: string }[]).map(
    ({ statement }) => statement,
  );

test('a statement is prepared from its second time on, and answers as before', async () => {
  const sql = 'SELECT ?::int + 1 AS next';
  expect(await ask(sql, [1])).toEqual([{ next: 2 }]);
  expect(await prepared()).toEqual([]);
  expect(await ask(sql, [2])).toEqual([{ next: 3 }]);
  expect(await ask(sql, [3])).toEqual([{ next: 4 }]);
  expect(await prepared()).toEqual(['SELECT $1::int + 1 AS next']);
});

test('what answers open columns, or has no values, is never prepared', async () => {
  const before = await prepared();
  for (let time = 0; time < 3; time += 1) {
    await ask('SELECT * FROM (SELECT ?::int AS one) AS numbers');
    await ask('SELECT 1 AS one', []);
  }
  expect(await prepared()).toEqual(before);
});

test('a column that a migration adds while the process runs does not break what it repeats', async () => {
  await scratch.query('CREATE SCHEMA growing');
  await scratch.query('CREATE TABLE growing.things AS SELECT 1 AS one');
  await scratch.query('GRANT USAGE ON SCHEMA growing TO tollgate_app');
  await scratch.query('GRANT SELECT ON growing.things TO tollgate_app');
  const sql = 'select "growing"."things".* from "growing"."things" where "one" = ?';
  for (let time = 0; time < 3; time += 1) expect(await ask(sql)).toEqual([{ one: 1 }]);
  await scratch.query('ALTER TABLE growing.things ADD COLUMN two integer');
  expect(await ask(sql)).toEqual([{ one: 1, two: null }]);
});

test('a statement that failed is prepared again, and works', async () => {
  const sql = 'SELECT 10 / ?::int AS part';
  expect(await ask(sql, [5])).toEqual([{ part: 2 }]);
  for (let time = 0; time < 2; time += 1) await expect(ask(sql, [0])).rejects.toThrow('division by zero');
  expect(await ask(sql, [2])).toEqual([{ part: 5 }]);
});
