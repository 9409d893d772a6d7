import type { Database, DbTransaction } from '../db/pools';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';

/** A run of the migration, with its progress. */
export interface CredentialMigrationRow {
  id: string;
  keyId: string;
  status: 'running' | 'complete' | 'failed';
  migrated: number;
  scrubbed: number;
  skipped: number;
  startedAt: Instant;
  updatedAt: Instant;
}

/** Location of a sealed object, for work tenant by tenant; ids of connections sort before those of endpoints. */
export interface SealedPlace {
  workspaceId: string;
  environment: Environment;
  id: string;
  kind: 'connection' | 'webhook_endpoint';
  /** The keys of all its envelopes; empty if it has no secret yet. */
  keyIds: string[];
}

/** Lists connections and webhook endpoints of all workspaces by id, after the given one. */
export async function listSealedPlaces(
  database: Database,
  after: string,
  limit: number,
): Promise<SealedPlace[]> {
  const { rows } = await database.raw<{ rows: SealedPlace[] }>(
    `SELECT workspace_id AS "workspaceId", environment, id, 'connection' AS kind,
            array_remove(ARRAY[key_id], NULL) AS "keyIds"
       FROM tollgate.list_connections(:after, :limit)
     UNION ALL
     SELECT workspace_id, environment, id, 'webhook_endpoint',
            array_remove(ARRAY[key_id, previous_key_id] || older_key_ids, NULL)
       FROM tollgate.list_webhook_endpoint_keys(:after, :limit)
      ORDER BY id LIMIT :limit`,
    { after, limit },
  );
  return rows;
}

/** Location of a connection, for work that proceeds tenant by tenant. */
export interface ConnectionPlace {
  workspaceId: string;
  environment: Environment;
  id: string;
  /** Null if it has no secret yet. */
  keyId: string | null;
}

const COLUMNS = {
  id: 'id',
  keyId: 'key_id',
  status: 'status',
  migrated: 'migrated',
  scrubbed: 'scrubbed',
  skipped: 'skipped',
  startedAt: 'started_at',
  updatedAt: 'updated_at',
};

/** Lists connections of all workspaces by id, after the given one. */
export async function listConnectionPlaces(
  database: Database,
  after: string,
  limit: number,
): Promise<ConnectionPlace[]> {
  const { rows } = await database.raw<{ rows: ConnectionPlace[] }>(
    `SELECT workspace_id AS "workspaceId", environment, id, key_id AS "keyId"
       FROM tollgate.list_connections(?, ?)`,
    [after, limit],
  );
  return rows;
}

export async function insertMigration(
  trx: DbTransaction,
  migration: { id: string; keyId: string; requestedBy: string | null; now: Instant },
): Promise<void> {
  const at = new Date(migration.now);
  await trx('tollgate.credential_migrations').insert({
    id: migration.id,
    key_id: migration.keyId,
    status: 'running',
    requested_by: migration.requestedBy,
    started_at: at,
    updated_at: at,
  });
}

/** Finds the unfinished run to this key; undefined if there is none. */
export async function findRunningMigration(
  trx: DbTransaction,
  keyId: string,
): Promise<CredentialMigrationRow | undefined> {
  return trx('tollgate.credential_migrations')
    .where({ key_id: keyId, status: 'running' })
    .orderBy('id')
    .first<CredentialMigrationRow | undefined>(COLUMNS);
}

export async function findMigration(
  database: Database,
  id: string,
): Promise<CredentialMigrationRow | undefined> {
  return database('tollgate.credential_migrations')
    .where({ id })
    .first<CredentialMigrationRow | undefined>(COLUMNS);
}

export async function findLatestMigration(database: Database): Promise<CredentialMigrationRow | undefined> {
  return database('tollgate.credential_migrations')
    .orderBy('id', 'desc')
    .first<CredentialMigrationRow | undefined>(COLUMNS);
}

/** Adds to a run's counters, in the transaction that does the work, so that a repetition counts nothing twice. */
export async function countMigrated(
  trx: DbTransaction,
  id: string,
  done: { migrated: number; scrubbed: number; now: Instant },
): Promise<void> {
  await trx('tollgate.credential_migrations')
    .where({ id })
    .update({
      migrated: trx.raw('migrated + ?', [done.migrated]),
      scrubbed: trx.raw('scrubbed + ?', [done.scrubbed]),
      updated_at: new Date(done.now),
    });
}

/** Ends a run; a run that has ended is not changed. */
export async function endMigration(
  database: Database,
  id: string,
  end: { status: 'complete' | 'failed'; skipped: number; now: Instant },
): Promise<void> {
  await database('tollgate.credential_migrations')
    .where({ id, status: 'running' })
    .update({ status: end.status, skipped: end.skipped, updated_at: new Date(end.now) });
}
