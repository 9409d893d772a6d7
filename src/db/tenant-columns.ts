import type { Environment } from '../domain/environment';
import type { WorkspaceScope } from '../tenancy/actor';

/** The tenant's two columns, with which the keys of every tenant table start: a condition, or part of a row. */
export function tenantColumns({ workspaceId, environment }: WorkspaceScope): {
  workspace_id: string;
  environment: Environment;
} {
  return { workspace_id: workspaceId, environment };
}

/** The same condition on a table that has an alias in its query. */
export function tenantColumnsOf(
  alias: string,
  { workspaceId, environment }: WorkspaceScope,
): Record<string, string> {
  return { [`${alias}.workspace_id`]: workspaceId, [`${alias}.environment`]: environment };
}
