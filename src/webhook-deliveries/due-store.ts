import type { Database } from '../db/pools';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';
import type { DueEndpoint } from '../domain/webhook-slots';
import type { WorkspaceScope } from '../tenancy/actor';

/*
 * What the deliverer asks before it knows whose work there is: by functions of tollgate_lookup, which answer ids and
 * times. It then works tenant by tenant.
 */

/** An endpoint with something due; a disabled one's is cancelled. */
export interface FoundEndpoint extends DueEndpoint {
  isDisabled: boolean;
}

/** One page of endpoints that have something due, and where the next page begins; `''` at the end. */
export async function findDueEndpoints(
  database: Database,
  { at, after, atMost }: { at: Instant; after: string; atMost: number },
): Promise<{ endpoints: FoundEndpoint[]; next: string }> {
  const { rows } = await database.raw<{ rows: ScannedRow[] }>(
    `SELECT workspace_id AS "workspaceId", environment, endpoint_id AS "endpointId", disabled AS "isDisabled",
            failing AS "isFailing", scanned_to AS "scannedTo"
       FROM tollgate.find_due_webhook_endpoints(?, ?, ?)`,
    [new Date(at), after, atMost],
  );
  return { endpoints: rows.filter(isEndpoint), next: rows[0]?.scannedTo ?? '' };
}

interface Scanned {
  scannedTo: string | null;
}

/** A page on which nothing is due is one row without an endpoint: it says where the next page begins. */
type ScannedRow = (FoundEndpoint & Scanned) | (Record<keyof FoundEndpoint, null> & Scanned);

function isEndpoint(row: ScannedRow): row is FoundEndpoint & Scanned {
  return row.endpointId !== null;
}

/** Resends that have not ended, the oldest first. */
export async function findOpenResends(
  database: Database,
  atMost: number,
): Promise<(WorkspaceScope & { id: string })[]> {
  const { rows } = await database.raw<{ rows: (WorkspaceScope & { id: string })[] }>(
    `SELECT workspace_id AS "workspaceId", environment, id FROM tollgate.find_open_webhook_resends(?)`,
    [atMost],
  );
  return rows;
}

/** Due deliveries of endpoints that do not fail: they say whether the deliverer keeps up. */
export async function measureDeliveries(
  database: Database,
  at: Instant,
  atMost: number,
): Promise<{ environment: Environment; items: number; oldest: Instant | null }[]> {
  const { rows } = await database.raw<{
    rows: { environment: Environment; items: string; oldest: Instant | null }[];
  }>('SELECT environment, items, oldest FROM tollgate.measure_webhook_deliveries(?, ?)', [
    new Date(at),
    atMost,
  ]);
  return rows.map((row) => ({ ...row, items: Number(row.items) }));
}
