import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { DAY_MS } from '../../src/domain/instant';
import { migrate, prepareRoles } from '../../src/db/migrate';
import { makePartitions } from '../../src/events/partitions-store';
import { findFreePort } from '../../src/embedded/free-port';
import { startPostgresCluster } from '../../src/embedded/postgres-cluster';
import { SUPERUSER } from '../../src/embedded/postgres-data-directory';
import { databaseUrl, TEMPLATE, testPasswords } from './cluster';

const SUPERUSER_PASSWORD = 'test-superuser';

/**
 * Makes a directory for what test files share, and starts one real Postgres for the whole run (or uses that of
 * TOLLGATE_TEST_POSTGRES_URL). Migrates a template database in it; each test file quickly clones its own from there.
 */
export default async function globalSetup(): Promise<void> {
  process.env['TOLLGATE_TEST_DIRECTORY'] = mkdtempSync(path.join(tmpdir(), 'tollgate-test-'));
  const configuredUrl = process.env['TOLLGATE_TEST_POSTGRES_URL'];
  const adminUrl = configuredUrl ?? (await startCluster());
  process.env['TOLLGATE_TEST_POSTGRES_URL'] = adminUrl;
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [TEMPLATE]);
  if (
    configuredUrl !== undefined &&
    rowCount === 1 &&
    process.env['TOLLGATE_TEST_KEEP_TEMPLATE'] !== undefined
  ) {
    await admin.end();
    return;
  }
  await admin.query(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  await admin.end();
  await prepareRoles(databaseUrl(adminUrl, TEMPLATE), testPasswords);
  if (configuredUrl === undefined) await shortenLogins(adminUrl);
  const migratorUrl = databaseUrl(adminUrl, TEMPLATE, 'tollgate_migrator');
  await migrate(migratorUrl);
  await makePartitions(migratorUrl, { from: Date.now() - 40 * DAY_MS, days: 50 });
}

/**
 * Stores the passwords again with a single round of hashing: with Postgres's own 4,096, each of a run's thousands of
 * connections costs its client a millisecond of CPU more.
 */
async function shortenLogins(adminUrl: string): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query('SET scram_iterations = 1');
  for (const [role, password] of Object.entries({ ...testPasswords, [SUPERUSER]: SUPERUSER_PASSWORD }))
    await admin.query(`ALTER ROLE ${role} PASSWORD ${admin.escapeLiteral(password)}`);
  await admin.end();
}

async function startCluster(): Promise<string> {
  const dataDirectory = mkdtempSync(path.join(tmpdir(), 'tollgate-test-postgres-'));
  const cluster = await startPostgresCluster({
    dataDirectory,
    port: await findFreePort(),
    superuserPassword: SUPERUSER_PASSWORD,
    settings: {
      max_connections: '400',
      // A statement over a Unix socket costs both sides a third less CPU than one over TCP.
      unix_socket_directories: dataDirectory,
      // Tests crash processes, never the machine.
      fsync: 'off',
      // Connections live for seconds here: planning a statement five times before its plan is cached would take a
      // tenth of the CPU.
      plan_cache_mode: 'force_generic_plan',
    },
  });
  (globalThis as { tollgateTestCluster?: typeof cluster }).tollgateTestCluster = cluster;
  return cluster.adminUrl.replace('@127.0.0.1:', `@${encodeURIComponent(dataDirectory)}:`);
}
