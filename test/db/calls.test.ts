import { contextCall, inOneRoundTrip, together, togetherThen, type Call } from '../../src/db/calls';
import { StatementError } from '../../src/db/statement-error';
import type { Database } from '../../src/db/pools';
import { openDatabase } from '../../src/db/pools';
import { inWorkspaceWith } from '../../src/db/workspace-transaction';
import { insertCall, updateCall } from '../../src/db/write-calls';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from '../support/database';

const scope = { workspaceId: 'org_here', environment: 'sandbox' } as const;

function settingCall(setting: string): Call<unknown> {
  return {
    name: 'setting',
    text: 'SELECT current_setting($1, true) AS value',
    values: [setting],
    read: ([row]) => row?.['value'],
  };
}

const failing: Call<void> = {
  name: 'failing',
  text: 'SELECT 1 / $1::int',
  values: ['0'],
  read: () => undefined,
};

describe('calls that travel together', () => {
  let fresh: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    fresh = await createTestDatabase();
    await fresh.query(`ALTER DATABASE ${fresh.name} SET plan_cache_mode = 'auto'`);
    const log = createLogger('test', 'silent');
    // One connection: anything that a transaction leaves on it would be visible to the next.
    database = openDatabase(fresh.adminUrl, { max: 1, applicationName: 'calls', log });
    await database.raw('CREATE TABLE things (id text PRIMARY KEY, many bigint, raw bytea, at timestamptz)');
  });
  afterAll(async () => {
    await database.destroy();
    await fresh.drop();
  });

  const row = { id: 'a', many: 3n, raw: Buffer.from([0, 255]), at: new Date(1_000) };
  const read: Call<Record<string, unknown>[]> = {
    name: 'things',
    text: 'SELECT id, many, raw, at FROM things ORDER BY id',
    values: [],
    read: (rows) => rows,
  };

  test('each sees what those before it have written, and all are committed together', async () => {
    const rename = updateCall('rename', 'things', {
      where: { id: 'a' },
      set: { many: 4 },
      more: ["id = 'b'"],
    });
    const found = await database.transaction(async (trx) => {
      const [, isRenamed, rows] = await together(trx, [insertCall('thing', 'things', row), rename, read]);
      expect(isRenamed).toBe(true);
      return rows;
    });
    expect(found).toEqual([{ ...row, id: 'b', many: '4', at: 1_000 }]);
    const [isRenamedAgain, rows] = await inOneRoundTrip(database, [rename, read]);
    expect(isRenamedAgain).toBe(false);
    expect(rows).toEqual(found);
  });

  test('a failure names its statement and rolls back those before it, and the connection stays usable', async () => {
    const insert = insertCall('thing', 'things', { ...row, id: 'c' });
    const trip = inOneRoundTrip(database, [insert, failing, read]);
    await expect(trip).rejects.toMatchObject({ name: 'StatementError', statement: 'failing', code: '22012' });
    const transaction = database.transaction((trx) => togetherThen(trx, [insert, failing], read));
    await expect(transaction).rejects.toBeInstanceOf(StatementError);
    const [rows] = await inOneRoundTrip(database, [read]);
    expect(rows).not.toContainEqual(expect.objectContaining({ id: 'c' }));
  });

  test('a call may say what its failure means', async () => {
    const refused = new Error('Nothing is divided by nothing.');
    const call = { ...failing, failed: () => refused };
    await expect(inOneRoundTrip(database, [call])).rejects.toBe(refused);
  });

  test('the context applies only to its transaction', async () => {
    const settings = ['tollgate.workspace_id', 'tollgate.request_id', 'plan_cache_mode'].map(settingCall);
    const [, ...inside] = await inOneRoundTrip(database, [
      contextCall(scope, 'SYSTEM', 'req_1'),
      ...settings,
    ]);
    expect(inside).toEqual(['org_here', 'req_1', 'force_generic_plan']);
    const withContext = await inWorkspaceWith(database, scope, 'SYSTEM', settings, (_, results) =>
      Promise.resolve(results),
    );
    expect(withContext).toEqual(['org_here', '', 'force_generic_plan']);
    await expect(inOneRoundTrip(database, settings)).resolves.toEqual(['', '', 'auto']);
  });

  test('a transaction that has ended takes no more', async () => {
    const trx = await database.transaction();
    await trx.rollback();
    await expect(together(trx, [read])).rejects.toThrow('The transaction has ended.');
  });
});
