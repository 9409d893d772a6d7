import { deleteInBatches } from '../db/delete-in-batches';
import type { Instant } from '../domain/instant';

/** Rows per statement. */
const BATCH_SIZE = 5_000;

/**
 * Jobs that nobody needs: the queue takes the key of a job that runs when a newer one is enqueued under it, and the
 * newer one does the work. A job that has its key and no attempts left still owes its work, and stays until it is tried
 * again.
 */
const DELETE = `
DELETE FROM graphile_worker._private_jobs
 WHERE id = ANY (ARRAY(
   SELECT id FROM graphile_worker._private_jobs
    WHERE key IS NULL AND attempts >= max_attempts AND locked_at IS NULL AND greatest(updated_at, run_at) < $1
    ORDER BY id LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED))`;

/**
 * Deletes replaced jobs that were last updated before an instant; the queue itself never deletes them.
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
