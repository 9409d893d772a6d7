import type { Database } from '../db/pools';
import type { Role } from '../operators/roles';

export interface Membership {
  workspaceId: string;
  role: Role;
}

/** The organizations that an operator belongs to, found before any of them is chosen. */
export async function findMemberships(database: Database, operatorId: string): Promise<Membership[]> {
  const { rows } = await database.raw<{ rows: Membership[] }>(
    'SELECT workspace_id AS "workspaceId", role FROM tollgate.find_memberships(?) ORDER BY workspace_id',
    [operatorId],
  );
  return rows;
}
