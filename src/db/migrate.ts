import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runMigrations } from 'graphile-worker';
import knex, { type Knex } from 'knex';
import { Pool, type Client } from 'pg';
import { asOnlyMigrator } from './migration-lock';
import { asOwner } from './owner-session';
import type { Database } from './pools';
import { scramVerifier } from './scram-verifier';
import { sessionOptions } from './session-options';
import { hasSqlState } from './sql-state';
import { LIFT_SESSION_LIMITS } from './session-limits';

const MIGRATIONS = path.join(__dirname, 'migrations');

/** Forward only: a migration that has run is never edited or undone. */
const source: Knex.MigrationSource<string> = {
  getMigrations: () =>
    Promise.resolve(
      readdirSync(MIGRATIONS)
        .filter((file) => file.endsWith('.sql'))
        .sort(),
    ),
  getMigrationName: (file) => file,
  getMigration: (file) =>
    Promise.resolve({
      up: (trx) => runFile(trx, file),
      down: () => Promise.reject(new Error('Migrations go forward only.')),
    }),
};

/**
 * Runs a migration file on the transaction's own connection, because knex prepends a failed statement's whole text to
 * the error message.
 *
 * @throws Postgres' error, prefixed with the file name
 */
async function runFile(trx: Knex, file: string): Promise<void> {
  const connection = await (trx.client as TransactionClient).acquireConnection();
  try {
    await connection.query(readFileSync(path.join(MIGRATIONS, file), 'utf8'));
  } catch (error) {
    if (error instanceof Error) error.message = `${file}: ${error.message}`;
    throw error;
  }
}

/** What is used of knex's client of an open transaction, which always returns the transaction's connection. */
interface TransactionClient {
  acquireConnection(): Promise<Client>;
}

/** Returns the names of this build's migrations, oldest first. */
async function knownMigrations(): Promise<string[]> {
  return source.getMigrations([]);
}

/** Login roles whose passwords the deployment chooses, in the connection addresses of its processes. */
export type LoginRole =
  | 'tollgate_migrator'
  | 'tollgate_app'
  | 'tollgate_worker'
  | 'tollgate_relay'
  | 'tollgate_deliverer';

/**
 * Creates the cluster's roles (idempotent) and lets the migrator create schemas in this database.
 *
 * @param adminUrl connection address of a superuser or of a database owner with CREATEROLE
 * @param passwords for the login roles; a role left out keeps its password
 * @param onRetry called while waiting for another process that migrates this database
 */
export async function prepareRoles(
  adminUrl: string,
  passwords: Partial<Record<LoginRole, string>>,
  onRetry: OnRetry = () => undefined,
): Promise<void> {
  await asOnlyMigrator(adminUrl, (client) => makeRoles(client, passwords), reportWait(onRetry));
}

async function makeRoles(client: Client, passwords: Partial<Record<LoginRole, string>>): Promise<void> {
  await client.query(readFileSync(path.join(__dirname, 'roles.sql'), 'utf8'));
  for (const [role, password] of Object.entries(passwords)) {
    const verifier = client.escapeLiteral(scramVerifier(password));
    await client.query(`ALTER ROLE ${client.escapeIdentifier(role)} PASSWORD ${verifier}`);
  }
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const name = client.escapeIdentifier(rows[0]?.name ?? '');
  await client.query(`REVOKE CREATE, TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
  await client.query(`GRANT CREATE ON DATABASE ${name} TO tollgate_owner, tollgate_outbox`);
  await client.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
}

/** Receives the reason for a retry. */
type OnRetry = (reason: string) => void;

function reportWait(onRetry: OnRetry): () => void {
  return () => {
    onRetry('another migration is running');
  };
}

/** Lock time-out of a migration, during which the running service's statements wait behind it. */
const LOCK_TIMEOUT_MS = 3_000;
/**
 * Locks do not outlive the process that migrates, which may be killed during a long statement, or be cut off between
 * two statements. A statement itself takes as long as a large table needs, whatever limit the database or role has.
 */
const TIME_LIMITS = {
  lock_timeout: String(LOCK_TIMEOUT_MS),
  statement_timeout: '0',
  client_connection_check_interval: '1000',
  idle_in_transaction_session_timeout: '10000',
};
const ATTEMPTS = 20;
const PAUSE_MS = 2_000;

/**
 * Migrates the schema to this build's version: first the job queue's own migrations (ours refer to it), then ours. Each
 * has its own transaction, so that none holds its locks while the next ones run. A migration that cannot get a lock
 * within three seconds is rolled back, lets the service's statements pass, and is retried. Concurrent processes migrate
 * a database one at a time.
 *
 * @param migratorUrl the address of tollgate_migrator
 * @param onRetry receives why an attempt failed
 * @returns the names of the migrations just run
 * @throws Error if a lock could not be taken in twenty attempts; the migrations before it stay. Error if the address
 *   leads to a pooler that drops the owners' role; nothing has run
 */
export async function migrate(migratorUrl: string, onRetry: OnRetry = () => undefined): Promise<string[]> {
  const inOrder = async (): Promise<string[]> => {
    await retryWithoutLock(() => migrateOutbox(migratorUrl), onRetry);
    return migrateSchema(migratorUrl, onRetry);
  };
  return asOnlyMigrator(migratorUrl, inOrder, reportWait(onRetry), () => refuseIgnoredRole(migratorUrl));
}

/** Otherwise everything that the migrations create would belong to the login role. */
async function refuseIgnoredRole(migratorUrl: string): Promise<void> {
  await asOwner(migratorUrl, { role: 'tollgate_owner' }, () => Promise.resolve());
}

async function retryWithoutLock<Result>(work: () => Promise<Result>, onRetry: OnRetry): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const reason = lockReason(error);
      if (reason === undefined || attempt === ATTEMPTS) throw error;
      onRetry(reason);
    }
    await pause(PAUSE_MS);
  }
}

/** @returns undefined if the migration failed for another reason than a lock */
function lockReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (hasSqlState(error, 'lock_not_available') || hasSqlState(error, 'deadlock_detected'))
    return error.message;
  // knex replaces Postgres' error if its own lock is held: Postgres is still ending the migration of a killed process.
  return error.name === 'MigrationLocked' ? 'another migration is running' : undefined;
}

async function migrateOutbox(migratorUrl: string): Promise<void> {
  const outbox = new Pool({
    ...sessionOptions(migratorUrl, { role: 'tollgate_outbox', ...TIME_LIMITS }),
    max: 1,
    verify: (client, done) => {
      client.query(LIFT_SESSION_LIMITS, done);
    },
  });
  // A connection error fails the migration itself; without listeners it would end the process first.
  const ignore = (): void => undefined;
  outbox.on('error', ignore);
  outbox.on('connect', (client) => client.on('error', ignore));
  try {
    await runMigrations({ pgPool: outbox, noPreparedStatements: true });
  } finally {
    await outbox.end();
  }
}

async function migrateSchema(migratorUrl: string, onRetry: OnRetry): Promise<string[]> {
  const database = knex({
    client: 'pg',
    connection: sessionOptions(migratorUrl, {
      role: 'tollgate_owner',
      ...TIME_LIMITS,
    }) as Knex.PgConnectionConfig,
    pool: {
      min: 0,
      max: 1,
      afterCreate: (client: Client, done: (error: Error | null) => void) => {
        client.query(LIFT_SESSION_LIMITS, done);
      },
    },
    compileSqlOnError: false,
    // What it would say of a failure is thrown, too.
    log: { warn: () => undefined },
  });
  try {
    await database.raw('CREATE SCHEMA IF NOT EXISTS tollgate_migrations');
    const ran: string[] = [];
    const next = (): Promise<string[]> => retryWithoutLock(() => runNext(database), onRetry);
    for (let names = await next(); names.length > 0; names = await next()) ran.push(...names);
    await database.raw('GRANT USAGE ON SCHEMA tollgate_migrations TO tollgate_runtime, tollgate_relay');
    await database.raw('GRANT SELECT ON tollgate_migrations.applied TO tollgate_runtime, tollgate_relay');
    return ran;
  } finally {
    await database.destroy();
  }
}

/**
 * Runs the next migration. knex's `latest` would run all in one transaction, in which each holds its locks until the
 * last one has run.
 *
 * @returns its name, or nothing if there is none
 */
async function runNext(database: Knex): Promise<string[]> {
  const [, ran] = (await database.migrate.up({
    migrationSource: source,
    schemaName: 'tollgate_migrations',
    tableName: 'applied',
    // A newer schema is not refused: this build runs on it, as before an upgrade is complete or after a rollback.
    disableMigrationsListValidation: true,
  })) as [number, string[]];
  return ran;
}

/**
 * Returns whether every migration of this build has run. A newer database is current too: during a deployment the old
 * build runs on the new schema.
 */
export async function migrationsAreCurrent(database: Database): Promise<boolean> {
  const known = await knownMigrations();
  const { rows } = await database.raw<{ rows: { name: string }[] }>(
    'SELECT name FROM tollgate_migrations.applied',
  );
  const applied = new Set(rows.map((row) => row.name));
  return known.every((name) => applied.has(name));
}
