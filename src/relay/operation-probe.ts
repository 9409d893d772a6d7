import type { Pool } from 'pg';
import type { WorkspaceScope } from '../tenancy/scope';

/** Reads whether an operation has ended, by the only function on tenants' rows that tollgate_relay may call. */
export function createOperationProbe(
  pool: Pool,
): (scope: WorkspaceScope, operationId: string) => Promise<boolean> {
  return async ({ workspaceId, environment }, operationId) => {
    const { rows } = await pool.query<{ ended: boolean }>(
      'SELECT tollgate.operation_has_ended($1, $2, $3) AS ended',
      [workspaceId, environment, operationId],
    );
    return rows[0]?.ended === true;
  };
}
