import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { LoginRole } from '../../src/db/migrate';
import { databaseUrl, TEMPLATE } from './cluster';

export interface TestDatabase {
  name: string;
  /** Returns the URL for one of the service's roles. */
  url(role: LoginRole): string;
  /** The superuser's URL; row-level security does not apply to it. */
  adminUrl: string;
  /** Runs one statement as the superuser. */
  query<Row extends object = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** Creates a migrated database for one test file, cloned from the template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const cluster = process.env['TOLLGATE_TEST_POSTGRES_URL'];
  if (cluster === undefined)
    throw new Error('There is no Postgres: this test belongs to the pure ones (test/support/projects.cjs).');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(cluster, [
    // The other strategy (wal_log, for busy servers) also writes the template's pages to the WAL: twice the CPU.
    `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`,
    // Grants on the database are not cloned.
    `REVOKE CREATE, TEMPORARY ON DATABASE ${name} FROM PUBLIC`,
    `GRANT CREATE ON DATABASE ${name} TO tollgate_owner, tollgate_outbox`,
  ]);
  const adminUrl = databaseUrl(cluster, name);
  const admin = new Client({ connectionString: adminUrl });
  admin.on('error', () => undefined);
  await admin.connect();
  // A connection runs one statement at a time, and tests ask at the same time.
  let last: Promise<unknown> = Promise.resolve();
  return {
    name,
    adminUrl,
    url: (role) => databaseUrl(cluster, name, role),
    query: async <Row extends object>(sql: string, values?: unknown[]) => {
      const result = last.then(() => admin.query<Row>(sql, values));
      last = result.catch(() => undefined);
      return (await result).rows;
    },
    drop: async () => {
      await admin.end();
      await asAdmin(cluster, [`DROP DATABASE ${name} WITH (FORCE)`]);
    },
  };
}

async function asAdmin(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
