import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { WorkspaceScope } from '../tenancy/actor';
import { deleteSums, forgetOtherTransactions, forgetTransactions } from './rebuild-store';
import { lockRollupState, NOTHING_ROLLED, saveRollupState, setRollupsAside } from './rollup-state-store';

const BATCH = 20_000;

/**
 * Empties the usage sums of a workspace, which the next rounds of rolling up build again. Until then every series is
 * read from the uses. Each batch is its own transaction; an interrupted rebuild starts over. If two rebuilds run
 * concurrently, the one that ends later also deletes what was rolled up after the other.
 *
 * @param restored the rows come from a dump, so the transactions they name belong to another cluster
 */
export async function rebuildRollups(
  database: Database,
  scope: WorkspaceScope,
  { restored, batch = BATCH }: { restored: boolean; batch?: number },
): Promise<void> {
  const inBatches = async (work: (trx: DbTransaction) => Promise<boolean>): Promise<void> => {
    let more = true;
    while (more) more = await setAside(database, scope, work);
  };
  if (restored) {
    let after = '';
    await inBatches(async (trx) => {
      const last = await forgetTransactions(trx, scope, after, batch);
      after = last ?? after;
      return last !== null;
    });
    await setAside(database, scope, (trx) => forgetOtherTransactions(trx, scope));
  }
  // The state is saved in the transaction that finds nothing left; otherwise another rebuild's sums might be added in
  // between.
  await inBatches(async (trx) => {
    if (await deleteSums(trx, scope, batch)) return true;
    await saveRollupState(trx, scope, NOTHING_ROLLED);
    return false;
  });
}

/**
 * Runs `work` in a transaction while no sums are being added; afterwards the sums are unused until their state is
 * saved.
 */
function setAside<Result>(
  database: Database,
  scope: WorkspaceScope,
  work: (trx: DbTransaction) => Promise<Result>,
): Promise<Result> {
  return inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    await lockRollupState(trx, scope, 'wait');
    await setRollupsAside(trx, scope);
    return work(trx);
  });
}
