import type { Logger } from 'pino';
import { forEachWorkspace } from '../db/each-workspace';
import type { Database, DbTransaction } from '../db/pools';
import { hasSqlState } from '../db/sql-state';
import { inWorkspace } from '../db/workspace-transaction';
import type { WorkspaceScope } from '../tenancy/actor';
import { forgetDropped } from './dimension-store';
import { addToRollups, addToValueRollups, hasDimensions, sortInMemory } from './rollup-store';
import {
  findBatchEnd,
  findEarlierBatchEnd,
  lockRollupState,
  saveRollupState,
  type RollupState,
} from './rollup-state-store';
import { CHANGES_OF_BATCH, CHANGES_OF_EARLIER_BATCH } from './usage-change-store';
import { findUsageToRollUp } from './waiting-usage-store';

/** Rows per batch. The more rows a batch has of a customer, the less each costs; a batch takes seconds. */
const BATCH = 50_000;
/** By how much a batch shrinks that Postgres does not add up within the statement time-out. */
const SHRINK_FACTOR = 4;

/**
 * Adds the tracks and reversals since the last round to the usage sums, in every workspace that has any.
 *
 * @param options.whenLocked what to do if another process is rolling up a workspace
 * @throws the first failure, once every other workspace is done
 */
export async function rollUpUsage(
  database: Database,
  log: Logger,
  options: { batch?: number; signal?: AbortSignal; whenLocked?: 'wait' | 'skip' } = {},
): Promise<void> {
  const { batch = BATCH, signal, whenLocked = 'skip' } = options;
  await forEachWorkspace(await findUsageToRollUp(database), log, async (scope) => {
    let size = batch;
    let more = true;
    while (more && signal?.aborted !== true) {
      try {
        more = await inWorkspace(database, scope, 'SYSTEM', (trx) =>
          rollUpBatch(trx, scope, log, { batch: size, whenLocked }),
        );
      } catch (error) {
        if (!hasSqlState(error, 'query_canceled') || size < SHRINK_FACTOR) throw error;
        size = Math.floor(size / SHRINK_FACTOR);
        log.warn(
          { ...scope, rows: size },
          'a batch of usage was canceled; it is tried again with fewer rows',
        );
      }
    }
  });
}

/**
 * Rolls up one batch and saves the progress in the open transaction, so that the batch is in the sums once or not at
 * all.
 *
 * @returns whether there is more
 */
async function rollUpBatch(
  trx: DbTransaction,
  scope: WorkspaceScope,
  log: Logger,
  { batch, whenLocked }: { batch: number; whenLocked: 'wait' | 'skip' },
): Promise<boolean> {
  await sortInMemory(trx);
  const state = await lockRollupState(trx, scope, whenLocked);
  // Another process is rolling up this workspace.
  if (state === undefined) return false;
  if (!state.isOfThisCluster) {
    log.error(
      { ...scope },
      'the sums of usage were computed by another cluster and are not used; run usage:rebuild (docs/usage-history.md)',
    );
    return false;
  }
  if (await forgetDropped(trx, scope, batch)) return true;
  if (state.earlierAfter !== null) return rollUpEarlier(trx, scope, state, state.earlierAfter, batch);
  const { until, isEmpty, isLast } = await findBatchEnd(trx, scope, state.watermark, batch);
  if (isEmpty) return false;
  await add(trx, scope, CHANGES_OF_BATCH, { watermark: state.watermark, until });
  await saveRollupState(trx, scope, { ...state, watermark: until });
  return !isLast;
}

/** Rolls up uses from before their transactions were recorded. */
async function rollUpEarlier(
  trx: DbTransaction,
  scope: WorkspaceScope,
  state: RollupState,
  after: string,
  batch: number,
): Promise<boolean> {
  const until = await findEarlierBatchEnd(trx, scope, after, batch);
  if (until !== null) await add(trx, scope, CHANGES_OF_EARLIER_BATCH, { after, until });
  await saveRollupState(trx, scope, { ...state, earlierAfter: until });
  return true;
}

async function add(
  trx: DbTransaction,
  scope: WorkspaceScope,
  changes: string,
  bindings: Readonly<Record<string, string>>,
): Promise<void> {
  await addToRollups(trx, scope, changes, bindings);
  if (await hasDimensions(trx, scope)) await addToValueRollups(trx, scope, changes, bindings);
}
