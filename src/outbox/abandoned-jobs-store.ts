import { asOwner } from '../db/owner-session';

/**
 * A job takes a relay a few seconds, so one held for longer belongs to a dead relay. The queue itself releases it only
 * after four hours, and until then it is missing from every count of waiting jobs. Uses the database's own clock, which
 * also recorded when the job was taken.
 *
 * A released job gets a new id. A relay that was only frozen completes its job by id, even if another relay has taken
 * it, and would delete what has been enqueued under the job's key meanwhile.
 */
const RELEASE = `
UPDATE graphile_worker._private_jobs
   SET id = DEFAULT, locked_at = NULL, locked_by = NULL, run_at = greatest(run_at, now())
 WHERE locked_at < now() - interval '2 minutes'`;

/**
 * Releases the jobs that a killed relay has held for two minutes. A relay that was only delayed may run one of them a
 * second time, which is harmless because signals and commands are idempotent.
 *
 * @param migratorUrl the address of tollgate_migrator, which may act as the queue's owner
 * @returns how many jobs were released
 */
export function releaseAbandonedJobs(migratorUrl: string): Promise<number> {
  return asOwner(migratorUrl, { role: 'tollgate_outbox' }, async (client) => {
    const { rowCount } = await client.query(RELEASE);
    return rowCount ?? 0;
  });
}
