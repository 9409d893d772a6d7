import { dateOrNull, textArray } from '../db/parameters';
import { VERIFIER, type DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { ErasureStep } from '../domain/erasure';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** An erasure and its progress. Instants are real time. */
export interface ErasureRow {
  id: string;
  customerId: string;
  externalIdHash: Buffer;
  /** The customer's former names; null once the erasure is complete. */
  names: string[] | null;
  step: ErasureStep;
  /** The last row of the step; null before the first. */
  after: string | null;
  awaited: string[] | null;
  /** Rows by kind. */
  blanked: Record<string, number>;
  requestedAt: Instant;
  completedAt: Instant | null;
  nextWakeAt: Instant | null;
}

const COLUMNS = {
  id: 'id',
  customerId: 'customer_id',
  externalIdHash: 'external_id_hash',
  names: 'names',
  step: 'step',
  after: 'after',
  awaited: 'awaited',
  blanked: 'blanked',
  requestedAt: 'requested_at',
  completedAt: 'completed_at',
  nextWakeAt: 'next_wake_at',
} satisfies Record<keyof ErasureRow, string>;

export async function insertErasure(
  trx: DbTransaction,
  scope: WorkspaceScope,
  erasure: ErasureRow,
): Promise<void> {
  await trx('tollgate.customer_erasures').insert({
    ...tenantColumns(scope),
    id: erasure.id,
    customer_id: erasure.customerId,
    external_id_hash: erasure.externalIdHash,
    requested_at: new Date(erasure.requestedAt),
    ...progressColumns(erasure),
  });
}

/**
 * Returns the erasure with the id, or the newest whose external id had this hash: an external id may have been reused.
 */
export async function findErasure(
  trx: DbTransaction,
  scope: WorkspaceScope,
  named: { id: string } | { externalIdHash: Buffer },
): Promise<ErasureRow | undefined> {
  const condition = 'id' in named ? { id: named.id } : { external_id_hash: named.externalIdHash };
  return trx('tollgate.customer_erasures')
    .where({ ...tenantColumns(scope), ...condition })
    .orderBy('id', 'desc')
    .first<ErasureRow | undefined>(COLUMNS);
}

/** Finds an erasure by its id and locks it, so that two workers do not take the same step. */
export async function lockErasure(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<ErasureRow | undefined> {
  return trx('tollgate.customer_erasures')
    .where({ ...tenantColumns(scope), id })
    .forUpdate()
    .first<ErasureRow | undefined>(COLUMNS);
}

export async function saveProgress(
  trx: DbTransaction,
  scope: WorkspaceScope,
  erasure: ErasureRow,
): Promise<void> {
  await trx('tollgate.customer_erasures')
    .where({ ...tenantColumns(scope), id: erasure.id })
    .update(progressColumns(erasure));
}

function progressColumns(erasure: ErasureRow): Record<string, unknown> {
  return {
    names: erasure.names === null ? null : textArray(erasure.names),
    step: erasure.step,
    after: erasure.after,
    awaited: erasure.awaited === null ? null : textArray(erasure.awaited),
    blanked: JSON.stringify(erasure.blanked),
    completed_at: dateOrNull(erasure.completedAt),
    next_wake_at: dateOrNull(erasure.nextWakeAt),
  };
}

/**
 * Returns the open transactions of this service that may write about a customer, by their virtual ids. Other database
 * users (a dump, a report) and the verifier write nothing.
 */
export async function findOpenTransactions(trx: DbTransaction): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `SELECT DISTINCT l.virtualtransaction AS id
       FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid JOIN pg_roles r ON r.oid = a.usesysid
      WHERE l.locktype = 'virtualxid' AND l.pid <> pg_backend_pid() AND a.datname = current_database()
        AND NOT r.rolsuper AND pg_has_role(r.oid, 'tollgate_runtime', 'USAGE')
        AND a.application_name <> :verifier`,
    { verifier: VERIFIER },
  );
  return rows.map(({ id }) => id);
}
