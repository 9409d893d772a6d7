import { deleteInBatches } from '../db/delete-in-batches';
import type { Instant } from '../domain/instant';

/** One statement deletes at most this many rows. */
const BATCH_SIZE = 5_000;

/**
 * Those that no relay takes any more: their attempts are used up, and none is under way. The queue makes one of a job
 * that fails while a newer job under its key waits already; of these the newer one does the work.
 */
const DELETE = `
DELETE FROM graphile_worker._private_jobs
 WHERE id IN (
   SELECT id FROM graphile_worker._private_jobs
    WHERE attempts >= max_attempts AND locked_at IS NULL AND greatest(updated_at, run_at) < $1
    ORDER BY id LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)`;

/**
 * Deletes the jobs that can never run again and were last touched before an instant. The queue keeps them for ever.
 *
 * @param migratorUrl the address of tollgate_migrator, which may act as the queue's owner
 * @returns how many there were
 */
export function deleteDeadJobs(migratorUrl: string, before: Instant): Promise<number> {
  const values = [new Date(before)];
  return deleteInBatches(migratorUrl, 'tollgate_outbox', { text: DELETE, values, batch: BATCH_SIZE });
}
