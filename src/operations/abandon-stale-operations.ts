import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/scope';
import { abandonOperation, hasStarted, listStaleOperations } from './operation-state-store';
import { lockOperation } from './operation-store';

/** One transaction holds no more rows than this. */
const BATCH_SIZE = 1_000;

/**
 * Gives up commands that an earlier version left pending and that nobody has sent since an instant. One that is begun
 * stays: what a payment provider still says of it is written down by its row.
 *
 * @returns how many were given up
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
    if (row?.status !== 'pending' || (await hasStarted(trx, scope, row))) continue;
    await abandonOperation(trx, scope, row, now);
    total += 1;
  }
  return total;
}
