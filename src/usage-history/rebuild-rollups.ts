import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { WorkspaceScope } from '../tenancy/actor';
import { deleteSums, forgetOtherTransactions, forgetTransactions } from './rebuild-store';
import { lockRollupState, NOTHING_ROLLED, saveRollupState, setRollupsAside } from './rollup-state-store';

const BATCH = 20_000;

/**
 * Empties the sums of usage of a workspace, which the next rounds of rolling up make anew. Meanwhile every series is read
 * from the uses. Each batch is a transaction of its own; one that was interrupted is begun again from the start.
 *
 * @param restored the rows come from a dump: the transactions that they name are another cluster's
 */
export async function rebuildRollups(
  database: Database,
  scope: WorkspaceScope,
  { restored, batch = BATCH }: { restored: boolean; batch?: number },
): Promise<void> {
  const inBatches = async (work: (trx: DbTransaction) => Promise<boolean>): Promise<void> => {
    let more = true;
    while (more) more = await inWorkspace(database, scope, 'SYSTEM', work);
  };
  await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    await lockRollupState(trx, scope, 'wait');
    await setRollupsAside(trx, scope);
  });
  await inBatches((trx) => deleteSums(trx, scope, batch));
  if (restored) {
    let after = '';
    await inBatches(async (trx) => {
      const last = await forgetTransactions(trx, scope, after, batch);
      after = last ?? after;
      return last !== null;
    });
    await inWorkspace(database, scope, 'SYSTEM', (trx) => forgetOtherTransactions(trx, scope));
  }
  await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    await lockRollupState(trx, scope, 'wait');
    await saveRollupState(trx, scope, NOTHING_ROLLED);
  });
}
