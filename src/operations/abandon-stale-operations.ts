import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { markAbandoned } from './conclude-operation-store';
import { hasStarted, listStaleOperations } from './operation-state-store';
import { lockOperation } from './operation-store';

/** Rows per transaction. */
const BATCH_SIZE = 1_000;

/**
 * Abandons operations that an earlier version left pending and that were not resent since an instant. Operations that
 * have started stay pending, because a payment provider's answer may still complete them.
 *
 * @returns how many were abandoned
 */
export async function abandonStaleOperations(
  trx: DbTransaction,
  scope: WorkspaceScope,
  before: Instant,
  now: Instant,
): Promise<number> {
  let total = 0;
  for (const id of await listStaleOperations(trx, scope, before, BATCH_SIZE)) {
    const row = await lockOperation(trx, scope, id);
    if (row?.status !== 'pending' || (await hasStarted(trx, scope, id))) continue;
    await markAbandoned(trx, scope, row.id, now);
    total += 1;
  }
  return total;
}
