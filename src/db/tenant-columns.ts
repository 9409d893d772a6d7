import type { Environment } from '../domain/environment';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * Returns the tenant's two columns, with which the keys of every tenant table start: as a condition, or as part of a
 * row.
 */
export function tenantColumns({ workspaceId, environment }: WorkspaceScope): {
  workspace_id: string;
  environment: Environment;
} {
  return { workspace_id: workspaceId, environment };
}

/** Returns the same condition for a table with an alias. */
export function tenantColumnsOf(
  alias: string,
  { workspaceId, environment }: WorkspaceScope,
): Record<string, string> {
  return { [`${alias}.workspace_id`]: workspaceId, [`${alias}.environment`]: environment };
}

/** Returns the same condition as SQL, for a statement with the scope in its bindings. @param alias of the table */
export function tenantCondition(alias?: string): string {
  const table = alias === undefined ? '' : `${alias}.`;
  return `${table}workspace_id = :workspaceId AND ${table}environment = :environment`;
}
