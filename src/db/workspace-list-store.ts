import type { Database } from './pools';
import type { Environment } from '../domain/environment';
import type { WorkspaceScope } from '../tenancy/actor';

const environments: readonly Environment[] = ['sandbox', 'production'];

/** Lists every organization's id, for sweeps that then work tenant by tenant. */
export async function listWorkspaceIds(database: Database): Promise<string[]> {
  const { rows } = await database.raw<{ rows: { id: string }[] }>(
    'SELECT workspace_id AS id FROM tollgate.list_workspaces()',
  );
  return rows.map((row) => row.id);
}

/** Lists every workspace's environments. */
export async function listScopes(database: Database): Promise<WorkspaceScope[]> {
  const ids = await listWorkspaceIds(database);
  return ids.flatMap((workspaceId) => environments.map((environment) => ({ workspaceId, environment })));
}
