import type { Database } from '../db/pools';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';
import type { DueEndpoint } from '../domain/webhook-slots';
import type { WorkspaceScope } from '../tenancy/actor';

/* Queries of the deliverer before it knows which tenants have work. They use functions of tollgate_lookup, which return
   ids and times only. The deliverer then works tenant by tenant. */

/** An endpoint with due deliveries. Those of a disabled endpoint are cancelled. */
export interface FoundEndpoint extends DueEndpoint {
  isDisabled: boolean;
}

/** Returns one page of endpoints that have due deliveries, and the start of the next page; `''` at the end. */
export async function findDueEndpoints(
  database: Database,
  { at, after, limit }: { at: Instant; after: string; limit: number },
): Promise<{ endpoints: FoundEndpoint[]; next: string }> {
  const { rows } = await database.raw<{ rows: ScannedRow[] }>(
    `SELECT workspace_id AS "workspaceId", environment, endpoint_id AS "endpointId", disabled AS "isDisabled",
            failing AS "isFailing", scanned_to AS "scannedTo"
       FROM tollgate.find_due_webhook_endpoints(?, ?, ?)`,
    [new Date(at), after, limit],
  );
  return { endpoints: rows.filter(isEndpoint), next: rows[0]?.scannedTo ?? '' };
}

interface Scanned {
  scannedTo: string | null;
}

/** A scanned row. A page with nothing due is one row without an endpoint, which says where the next page starts. */
type ScannedRow = (FoundEndpoint & Scanned) | (Record<keyof FoundEndpoint, null> & Scanned);

function isEndpoint(row: ScannedRow): row is FoundEndpoint & Scanned {
  return row.endpointId !== null;
}

/** Returns the resends that have not ended, oldest first. */
export async function findOpenResends(
  database: Database,
  limit: number,
): Promise<(WorkspaceScope & { id: string })[]> {
  const { rows } = await database.raw<{ rows: (WorkspaceScope & { id: string })[] }>(
    `SELECT workspace_id AS "workspaceId", environment, id FROM tollgate.find_open_webhook_resends(?)`,
    [limit],
  );
  return rows;
}

/** Counts the due deliveries of endpoints that are not failing, which shows whether the deliverer keeps up. */
export async function measureDeliveries(
  database: Database,
  at: Instant,
  limit: number,
): Promise<{ environment: Environment; items: number; oldest: Instant | null }[]> {
  const { rows } = await database.raw<{
    rows: { environment: Environment; items: string; oldest: Instant | null }[];
  }>('SELECT environment, items, oldest FROM tollgate.measure_webhook_deliveries(?, ?)', [
    new Date(at),
    limit,
  ]);
  return rows.map((row) => ({ ...row, items: Number(row.items) }));
}
