import { migrate, prepareRoles } from '../../src/db/migrate';
import { databaseUrl, testPasswords } from '../support/cluster';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test.each(['LATIN1', 'SQL_ASCII'])(
  'a database encoded in %s is refused before anything is created in it',
  async (encoding) => {
    const name = `${database.name}_${encoding.toLowerCase()}`;
    await database.query(
      `CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`,
    );
    const refusal = `The database is encoded in ${encoding}, but Tollgate needs UTF8. An encoding cannot be changed: create a database with ENCODING 'UTF8' TEMPLATE template0.`;
    try {
      await expect(prepareRoles(databaseUrl(database.adminUrl, name), testPasswords)).rejects.toThrow(
        refusal,
      );
      await expect(migrate(databaseUrl(database.adminUrl, name, 'tollgate_migrator'))).rejects.toThrow(
        refusal,
      );
    } finally {
      await database.query(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  },
);

test('a database that makes no i of an I is refused before anything is created in it', async () => {
  const name = `${database.name}_tr`;
  await database.query(
    `CREATE DATABASE ${name} ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LOCALE 'C' TEMPLATE template0`,
  );
  try {
    const refusal = 'The database’s locale makes "ı" of an "I"';
    await expect(prepareRoles(databaseUrl(database.adminUrl, name), testPasswords)).rejects.toThrow(refusal);
    await expect(migrate(databaseUrl(database.adminUrl, name, 'tollgate_migrator'))).rejects.toThrow(refusal);
  } finally {
    await database.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
});
