import type { Logger } from 'pino';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { isOpen } from '../domain/operation-status';
import type { Instant } from '../domain/instant';
import { acceptOperation, findOpenOperations } from './operation-state-store';
import { lockOperation } from './operation-store';

/** Longer than a caller is kept waiting: what is older is waited for by nobody (milliseconds). */
const CALLER_WAITS_MS = 60_000;
/** What one round looks at; the next one takes the rest. */
const BATCH_SIZE = 10_000;

/**
 * Sees to it that every open command is sent until it has ended: one that was accepted and whose job is gone or dead
 * gets another, and one whose caller was lost before it was told anything is accepted in its place.
 *
 * @returns how many jobs were left
 */
export async function requeueOpenOperations(database: Database, now: Instant, log: Logger): Promise<number> {
  const found = await findOpenOperations(database, now - CALLER_WAITS_MS, BATCH_SIZE);
  let requeued = 0;
  for (const { id, ...scope } of found) {
    const isRequeued = await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
      const row = await lockOperation(trx, scope, id);
      return row !== undefined && isOpen(row.status) && (await acceptOperation(trx, scope, row));
    });
    if (isRequeued) requeued += 1;
  }
  if (requeued > 0) log.warn({ operations: requeued }, 'commands were open that nobody sent');
  return requeued;
}
