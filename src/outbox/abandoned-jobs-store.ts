import { asOwner } from '../db/owner-session';

/**
 * A job takes a relay a few seconds: one that is held for longer is a dead relay's. The queue itself gives it out again
 * after four hours, and nothing that counts what waits sees it until then. By the database's own clock, which has written
 * when it was taken.
 */
const RELEASE = `
UPDATE graphile_worker._private_jobs
   SET locked_at = NULL, locked_by = NULL, run_at = greatest(run_at, now())
 WHERE locked_at < now() - interval '2 minutes'`;

/**
 * Lets a relay take the jobs that a relay which was killed has held for two minutes. A relay that was only held up may do
 * one of them a second time, which changes nothing: signals and commands are idempotent.
 *
 * @param migratorUrl the address of tollgate_migrator, which may act as the queue's owner
 * @returns how many there were
 */
export function releaseAbandonedJobs(migratorUrl: string): Promise<number> {
  return asOwner(migratorUrl, { role: 'tollgate_outbox' }, async (client) => {
    const { rowCount } = await client.query(RELEASE);
    return rowCount ?? 0;
  });
}
