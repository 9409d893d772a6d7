import { connectionSecretsLock } from '../db/advisory-locks';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** The table was made for the sandbox's alone; production's stand in it too, hashed under a label of their own. */
const TABLE = 'tollgate.sandbox_secret_fingerprints';

/**
 * Keeps the organization's other writers of secrets waiting until the transaction ends, in both environments: of two
 * who bring one secret into both at once, neither would see what the other has not committed.
 */
export async function lockConnectionSecrets(
  trx: DbTransaction,
  { workspaceId }: WorkspaceScope,
): Promise<void> {
  await trx.raw(`SELECT pg_advisory_xact_lock(${connectionSecretsLock('?')})`, [workspaceId]);
}

/** Whether a connection of the organization has held a secret with one of these fingerprints. */
export async function hasFingerprint(
  trx: DbTransaction,
  { workspaceId }: WorkspaceScope,
  fingerprints: readonly Buffer[],
): Promise<boolean> {
  const row = await trx(TABLE)
    .where('workspace_id', workspaceId)
    .whereIn('fingerprint', fingerprints)
    .first<{ connection_id: string } | undefined>('connection_id');
  return row !== undefined;
}

/** Adds those that are not there yet. */
export async function insertFingerprints(
  trx: DbTransaction,
  { workspaceId }: WorkspaceScope,
  connectionId: string,
  fingerprints: readonly Buffer[],
  now: Instant,
): Promise<void> {
  if (fingerprints.length === 0) return;
  await trx(TABLE)
    .insert(
      fingerprints.map((fingerprint) => ({
        workspace_id: workspaceId,
        fingerprint,
        connection_id: connectionId,
        created_at: new Date(now),
      })),
    )
    .onConflict(['workspace_id', 'fingerprint'])
    .ignore();
}
