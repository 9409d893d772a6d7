import type { Database } from '../db/pools';
import type { Role } from '../operators/roles';

export interface Membership {
  workspaceId: string;
  role: Role;
  /** Whether the organization requires a second factor that the operator does not have. */
  mustEnrol: boolean;
}

/** Lists the organizations that an operator belongs to, before any of them is chosen. */
export async function findMemberships(database: Database, operatorId: string): Promise<Membership[]> {
  const { rows } = await database.raw<{ rows: Membership[] }>(
    `SELECT workspace_id AS "workspaceId", role, must_enrol AS "mustEnrol"
       FROM tollgate.find_memberships_of(?) ORDER BY workspace_id`,
    [operatorId],
  );
  return rows;
}
