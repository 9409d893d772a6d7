import type { Transaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/scope';

/** Whether a sandbox connection of the organization has held one of these secrets. */
export async function findSandboxFingerprint(
  trx: Transaction,
  scope: WorkspaceScope,
  fingerprints: readonly Buffer[],
): Promise<boolean> {
  const row = await trx('tollgate.sandbox_secret_fingerprints')
    .where('workspace_id', scope.workspaceId)
    .whereIn('fingerprint', fingerprints)
    .first<{ connection_id: string } | undefined>('connection_id');
  return row !== undefined;
}

/** Adds those that are not there yet. */
export async function insertSandboxFingerprints(
  trx: Transaction,
  scope: WorkspaceScope,
  connectionId: string,
  fingerprints: readonly Buffer[],
  now: Instant,
): Promise<void> {
  if (fingerprints.length === 0) return;
  await trx('tollgate.sandbox_secret_fingerprints')
    .insert(
      fingerprints.map((fingerprint) => ({
        workspace_id: scope.workspaceId,
        fingerprint,
        connection_id: connectionId,
        created_at: new Date(now),
      })),
    )
    .onConflict(['workspace_id', 'fingerprint'])
    .ignore();
}
