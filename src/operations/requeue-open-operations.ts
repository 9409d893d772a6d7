import type { Logger } from 'pino';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { isOpen } from '../domain/operation-status';
import type { Instant } from '../domain/instant';
import { acceptOperation, findUnsentOperations } from './operation-state-store';
import { lockOperation } from './operation-store';

/** Longer than any caller waits: an older operation is no longer handled by a request. */
const CALLER_WAITS_MS = 60_000;
/** Operations per round; the next round takes the rest. */
const BATCH_SIZE = 10_000;

/**
 * Enqueues a job for every open operation that has none: accepted operations whose job is missing or dead, and pending
 * ones whose request ended without an answer, which become accepted.
 *
 * @param stopping ends it after the operation in progress
 * @returns how many jobs were enqueued
 */
export async function requeueOpenOperations(
  database: Database,
  now: Instant,
  log: Logger,
  stopping?: AbortSignal,
): Promise<number> {
  const found = await findUnsentOperations(database, now - CALLER_WAITS_MS, BATCH_SIZE);
  let requeued = 0;
  for (const { id, ...scope } of found) {
    if (stopping?.aborted === true) break;
    const isRequeued = await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
      const row = await lockOperation(trx, scope, id);
      return row !== undefined && isOpen(row.status) && (await acceptOperation(trx, scope, row));
    });
    if (isRequeued) requeued += 1;
  }
  if (requeued > 0) log.warn({ operations: requeued }, 'requeued open operations that had no job');
  return requeued;
}
