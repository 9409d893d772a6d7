import type { DbTransaction } from '../db/pools';
import { tenantCondition } from '../db/tenant-columns';
import type { WorkspaceScope } from '../tenancy/actor';

const SUMS = [
  // Deleting days subtracts them from the months, of which zeros remain.
  ...['usage_quarters', 'usage_customer_days', 'usage_customer_months'],
  ...['usage_value_quarters', 'usage_value_days', 'usage_values'],
] as const;

const TENANT_CONDITION = tenantCondition();

/**
 * Deletes a batch of the sums.
 * @returns false if none remain
 */
export async function deleteSums(trx: DbTransaction, scope: WorkspaceScope, limit: number): Promise<boolean> {
  for (const table of SUMS) {
    const { rowCount } = await trx.raw<{ rowCount: number }>(
      `DELETE FROM tollgate.${table} WHERE ${TENANT_CONDITION} AND ctid = ANY (ARRAY(
         SELECT ctid FROM tollgate.${table} WHERE ${TENANT_CONDITION} LIMIT ${limit}))`,
      { ...scope },
    );
    if (rowCount > 0) return true;
  }
  return false;
}

/**
 * Clears the transactions of a batch of uses, which in a restored dump belong to another cluster.
 *
 * @returns the last use's id, after which to continue; null if none remain
 */
export async function forgetTransactions(
  trx: DbTransaction,
  scope: WorkspaceScope,
  after: string,
  limit: number,
): Promise<string | null> {
  const { rows } = await trx.raw<{ rows: { last: string | null }[] }>(
    `SELECT max(id) AS last FROM (
       SELECT id FROM tollgate.usage_events WHERE ${TENANT_CONDITION} AND id > :after ORDER BY id LIMIT ${limit}) AS b`,
    { ...scope, after },
  );
  const last = rows[0]?.last ?? null;
  if (last === null) return null;
  await trx.raw(
    `UPDATE tollgate.usage_events SET transaction_id = NULL
      WHERE ${TENANT_CONDITION} AND id > :after AND id <= :last AND transaction_id IS NOT NULL`,
    { ...scope, after, last },
  );
  return last;
}

/** Replaces the transactions of reversals by the first one of a cluster, and makes dimensions count for all uses. */
export async function forgetOtherTransactions(trx: DbTransaction, scope: WorkspaceScope): Promise<void> {
  await trx.raw(
    `UPDATE tollgate.usage_reversals SET transaction_id = CAST('3' AS xid8) WHERE ${TENANT_CONDITION}`,
    {
      ...scope,
    },
  );
  await trx.raw(`UPDATE tollgate.usage_dimensions SET since = CAST('0' AS xid8) WHERE ${TENANT_CONDITION}`, {
    ...scope,
  });
}
