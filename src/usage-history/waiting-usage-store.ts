import type { Database } from '../db/pools';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** A workspace with uses or reversals that are not in the sums yet, and since when (its own time) the oldest waits. */
export interface WaitingUsage extends WorkspaceScope {
  since: Instant | null;
}

/** Finds them by the newest transaction of each workspace; no other rows are read. */
export async function findUsageToRollUp(database: Database): Promise<WaitingUsage[]> {
  const { rows } = await database.raw<{
    rows: { workspaceId: string; environment: Environment; since: Instant | null }[];
  }>('SELECT workspace_id AS "workspaceId", environment, since FROM tollgate.find_usage_to_roll_up()');
  return rows;
}
