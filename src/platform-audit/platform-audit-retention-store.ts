import { deleteInBatches } from '../db/delete-in-batches';
import type { Instant } from '../domain/instant';

/** Maximum number of rows deleted by one statement. */
const BATCH = 5_000;

const DELETE = `
DELETE FROM tollgate.platform_audit
 WHERE id = ANY (ARRAY(
   SELECT id FROM tollgate.platform_audit WHERE created_at < $1 ORDER BY created_at, id LIMIT ${BATCH}))`;

/**
 * Deletes the platform's audit from before an instant. No role of the running service can: only the owner may, and only
 * what is older than thirty days.
 *
 * @param migratorUrl URL of tollgate_migrator, which may act as the owner
 * @param stopping ends it after the batch in progress
 * @returns how many rows were deleted
 */
export function deleteOldPlatformAudit(
  migratorUrl: string,
  before: Instant,
  stopping?: AbortSignal,
): Promise<number> {
  const values = [new Date(before)];
  return deleteInBatches(migratorUrl, 'tollgate_owner', { text: DELETE, values, batch: BATCH }, stopping);
}
