import type { Transaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/scope';

/** How far a workspace's sandbox is ahead of real time, in milliseconds; 0 in production and before any advance. */
export async function readClockOffset(trx: Transaction, scope: WorkspaceScope): Promise<number> {
  if (scope.environment === 'production') return 0;
  const row = await trx('tollgate.sandbox_clocks')
    .where({ workspace_id: scope.workspaceId, environment: scope.environment })
    .first<{ offset_ms: string } | undefined>('offset_ms');
  return row === undefined ? 0 : Number(row.offset_ms);
}
