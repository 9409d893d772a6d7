import { deleteInBatches } from '../db/delete-in-batches';
import type { Instant } from '../domain/instant';

/** Rows per statement. */
const BATCH_SIZE = 5_000;

/**
 * Jobs that the relay no longer takes: their attempts are used up, and they are not running. The queue also kills a job
 * that fails while a newer job waits under its key; the newer one does the work.
 */
const DELETE = `
DELETE FROM graphile_worker._private_jobs
 WHERE id = ANY (ARRAY(
   SELECT id FROM graphile_worker._private_jobs
    WHERE attempts >= max_attempts AND locked_at IS NULL AND greatest(updated_at, run_at) < $1
    ORDER BY id LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED))`;

/**
 * Deletes dead jobs that were last updated before an instant; the queue itself never deletes them.
 *
 * @param migratorUrl connection URL of tollgate_migrator, which may act as the queue's owner
 * @param stopping ends it after the batch in progress
 * @returns how many were deleted
 */
export function deleteDeadJobs(
  migratorUrl: string,
  before: Instant,
  stopping?: AbortSignal,
): Promise<number> {
  const values = [new Date(before)];
  return deleteInBatches(
    migratorUrl,
    'tollgate_outbox',
    { text: DELETE, values, batch: BATCH_SIZE },
    stopping,
  );
}
