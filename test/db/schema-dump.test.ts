import { DAY_MS } from '../../src/domain/instant';
import { dumpSchema } from './schema-dump';
import { makePartitions } from '../../src/events/partitions-store';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { expectCommitted } from '../support/snapshot';

describe('the schema', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test('docs/schema.sql is what the migrations make', async () => {
    expectCommitted('docs/schema.sql', await dumpSchema(database.adminUrl));
  });

  test('every role and every day sees the same text; a change shows', async () => {
    const before = await dumpSchema(database.url('tollgate_app'));
    expect(await dumpSchema(database.adminUrl)).toBe(before);
    await makePartitions(database.url('tollgate_migrator'), { from: Date.now() + 400 * DAY_MS, days: 2 });
    expect(await dumpSchema(database.adminUrl)).toBe(before);
    await database.query('GRANT UPDATE ON tollgate.usage_events TO tollgate_runtime');
    expect(await dumpSchema(database.adminUrl)).not.toBe(before);
  });
});
