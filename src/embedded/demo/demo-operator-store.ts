import type { Database } from '../../db/pools';

/** The ids of the organizations that an operator belongs to. */
export async function findMembershipsOf(database: Database, operatorId: string): Promise<string[]> {
  const { rows } = await database.raw<{ rows: { workspace_id: string }[] }>(
    'SELECT workspace_id FROM tollgate.find_memberships(?)',
    [operatorId],
  );
  return rows.map((row) => row.workspace_id);
}
