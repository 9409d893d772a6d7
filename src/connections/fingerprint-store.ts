import { connectionSecretsLock } from '../db/advisory-locks';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** Created for the sandbox only. It now also holds production's fingerprints, hashed under a separate label. */
const TABLE = 'tollgate.sandbox_secret_fingerprints';

/**
 * Makes other transactions that write secrets of the organization wait until this one ends, in both environments.
 * Otherwise two concurrent writers of one secret would not see each other's uncommitted rows.
 */
export async function lockConnectionSecrets(
  trx: DbTransaction,
  { workspaceId }: WorkspaceScope,
): Promise<void> {
  await trx.raw(`SELECT pg_advisory_xact_lock(${connectionSecretsLock('?')})`, [workspaceId]);
}

/** Returns whether a connection of the organization has held a secret with one of these fingerprints. */
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

/** Inserts the fingerprints that do not exist yet. */
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
