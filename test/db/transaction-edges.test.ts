import { together, togetherAndCommit, type Call } from '../../src/db/calls';
import { openDatabase, type Database } from '../../src/db/pools';
import { insertCall } from '../../src/db/write-calls';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from '../support/database';

let fresh: TestDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await createTestDatabase();
  const log = createLogger('test', 'silent');
  // One connection: anything that a transaction leaves on it would be visible to the next.
  database = openDatabase(fresh.adminUrl, { max: 1, applicationName: 'edges', log });
  await database.raw('CREATE TABLE things (id text PRIMARY KEY)');
});
beforeEach(() => database.raw('TRUNCATE things'));
afterAll(async () => {
  await database.destroy();
  await fresh.drop();
});

const insert = (id: string): Call<void> => insertCall('thing', 'things', { id });
const inTransaction: Call<boolean> = {
  name: 'in_transaction',
  // A write in a separate transaction assigns no transaction id to this one.
  text: 'SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS is',
  values: [],
  read: ([row]) => row?.['is'] === true,
};
/** Returns the committed rows, as another connection sees them. */
const committed = async (): Promise<string[]> =>
  (await fresh.query<{ id: string }>('SELECT id FROM things ORDER BY id')).map(({ id }) => id);

test('what is written before the end is committed by knex, and undone when the work fails', async () => {
  await database.transaction(async (trx) => {
    await together(trx, [insert('calls')]);
    await trx('things').insert({ id: 'knex' });
    expect(await committed()).toEqual([]);
  });
  expect(await committed()).toEqual(['calls', 'knex']);
  for (const write of [
    (trx: Database) => trx('things').insert({ id: 'lost' }),
    (trx: Database) => together(trx as never, [insert('lost')]),
  ]) {
    const work = database.transaction(async (trx) => {
      await write(trx);
      throw new Error('refused');
    });
    await expect(work).rejects.toThrow('refused');
  }
  expect(await committed()).toEqual(['calls', 'knex']);
});

test.each(['knex', 'calls'] as const)(
  'a transaction that begins by %s is one from its first statement',
  async (way) => {
    await database.transaction(async (trx) => {
      if (way === 'knex') await trx('things').insert({ id: 'first' });
      else await together(trx, [insert('first')]);
      expect(await together(trx, [inTransaction])).toEqual([true]);
      expect(await committed()).toEqual([]);
    });
    expect(await committed()).toEqual(['first']);
  },
);

test('the last calls take the commit along, and nothing comes after them', async () => {
  const results = await database.transaction(async (trx) => {
    await together(trx, [insert('a')]);
    const answered = await togetherAndCommit(trx, [insert('b'), inTransaction]);
    expect(await committed()).toEqual(['a', 'b']);
    return answered;
  });
  expect(results).toEqual([undefined, true]);
  const alone = database.transaction((trx) => togetherAndCommit(trx, [insert('c')]));
  await expect(alone).resolves.toEqual([undefined]);
  for (const more of ['calls', 'knex']) {
    const work = database.transaction(async (trx) => {
      await togetherAndCommit(trx, [insert(`before ${more}`)]);
      await (more === 'calls' ? together(trx, [insert('after')]) : trx('things').insert({ id: 'after' }));
    });
    await expect(work).rejects.toThrow('The transaction has ended.');
  }
  expect(await committed()).toEqual(['a', 'b', 'before calls', 'before knex', 'c']);
});

test('last calls that fail are rolled back with all before them, and the connection stays usable', async () => {
  const work = database.transaction(async (trx) => {
    await together(trx, [insert('a')]);
    return togetherAndCommit(trx, [insert('b'), insert('a')]);
  });
  await expect(work).rejects.toMatchObject({ name: 'StatementError', code: '23505' });
  expect(await committed()).toEqual([]);
  const aborted = database.transaction(async (trx) => {
    await together(trx, [insert('a')]);
    await together(trx, [insert('a')]).catch(() => undefined);
    return togetherAndCommit(trx, []);
  });
  await expect(aborted).rejects.toThrow('The transaction ended with ROLLBACK.');
  expect(await committed()).toEqual([]);
  await database('things').insert({ id: 'later' });
  expect(await committed()).toEqual(['later']);
});

test('a transaction without statements begins nothing', async () => {
  await database.transaction(() => Promise.resolve());
  await expect(database.transaction(() => Promise.reject(new Error('nothing')))).rejects.toThrow('nothing');
  await database('things').insert({ id: 'alone' });
  expect(await committed()).toEqual(['alone']);
});

test('a nested one is rolled back separately', async () => {
  await database.transaction(async (trx) => {
    const inner = trx.transaction(async (nested) => {
      await nested('things').insert({ id: 'inner' });
      throw new Error('undone');
    });
    await expect(inner).rejects.toThrow('undone');
    await trx('things').insert({ id: 'outer' });
  });
  expect(await committed()).toEqual(['outer']);
});

test('a transaction whose connection Postgres ends fails with the reason that Postgres gives', async () => {
  const work = database.transaction(async (trx) => {
    await trx('things').insert({ id: 'cut' });
    await trx.raw('SELECT pg_terminate_backend(pg_backend_pid())');
  });
  await expect(work).rejects.toThrow('terminating connection due to administrator command');
  expect(await committed()).toEqual([]);
  await database.transaction((trx) => trx('things').insert({ id: 'next' }));
  expect(await committed()).toEqual(['next']);
});

test('a nested transaction whose connection Postgres ends fails with the reason that Postgres gives', async () => {
  const work = database.transaction(async (trx) => {
    await trx('things').insert({ id: 'cut' });
    await trx.transaction(async (nested) => {
      await nested.raw('SELECT pg_terminate_backend(pg_backend_pid())');
    });
  });
  await expect(work).rejects.toThrow('terminating connection due to administrator command');
  expect(await committed()).toEqual([]);
});

test('work that fails on a lost connection keeps its own failure', async () => {
  const work = database.transaction(async (trx) => {
    await trx('things').insert({ id: 'cut' });
    await trx.raw('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    throw new Error('refused');
  });
  await expect(work).rejects.toThrow('refused');
  expect(await committed()).toEqual([]);
});
