import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';
import {
  conditionsOf,
  customerOfFilters,
  isOfNoDecision,
  filterBindings,
  windowOfFilters,
  type EventFilters,
} from './developer-event-filter-store';
import { EVENT_COLUMNS, type DeveloperEventRow } from './developer-event-store';

/** Sort keys of a row. `at` is text with microseconds, which a JavaScript number of milliseconds would drop. */
export interface EventPosition {
  at: string;
  id: string;
}

export interface EventSlice {
  /** At most `take` rows, newest first. */
  rows: DeveloperEventRow[];
  /** Start of the next page; null at the end of the history. */
  next: EventPosition | null;
}

/**
 * Maximum number of rows that one call reads for a filter that no index serves. Rows of a customer are fetched one by
 * one by key.
 */
const SCAN_LIMIT = { all: 15_000, ofCustomer: 5_000 };

type ScannedRow = DeveloperEventRow & EventPosition & { matches: boolean; ordinal: string };

/**
 * Returns one page of a workspace's history, newest first. Filters with an index (a customer, a status other than OK, a
 * type other than the two of the hot path) and a time range are looked up. The others are checked on at most
 * `scanLimit` rows; then the page ends early, and `next` says where the scan stopped.
 */
export async function listDeveloperEvents(
  trx: DbTransaction,
  scope: WorkspaceScope,
  filters: EventFilters,
  page: { take: number; after: EventPosition | null; scanLimit?: number },
): Promise<EventSlice> {
  const customer = await customerOfFilters(trx, scope, filters);
  if (customer === undefined || isOfNoDecision(filters)) return { rows: [], next: null };
  const window = await windowOfFilters(trx, scope, filters);
  const { looked, matched } = conditionsOf(filters, customer, window);
  const bound = page.scanLimit ?? (customer === null ? SCAN_LIMIT.all : SCAN_LIMIT.ofCustomer);
  // If every row matches, no more rows are read than are shown.
  const scanLimit = matched.length === 0 ? Math.min(bound, page.take + 2) : bound;
  const { rows } = await trx.raw<{ rows: ScannedRow[] }>(
    `SELECT ${EVENT_COLUMNS}, CAST(created_at AS text) AS at, matches, ordinal
       FROM (SELECT *, (${matched.join(' AND ') || 'true'}) AS matches,
                    row_number() OVER (ORDER BY created_at DESC, id DESC) AS ordinal
               FROM (${customer === null ? scan(looked, page.after) : CUSTOMER_EVENTS}) AS scanned) AS judged
      WHERE matches OR ordinal = :scanLimit
      ORDER BY created_at DESC, id DESC LIMIT :rows`,
    {
      ...scope,
      at: page.after?.at ?? 'infinity',
      id: page.after?.id ?? '',
      ...filterBindings(filters, customer, window),
      scanLimit,
      // One row to detect a further page, one for the row where the scan stopped.
      rows: page.take + 2,
    },
  );
  return sliceOf(rows, page.take, scanLimit);
}

function scan(looked: readonly string[], after: EventPosition | null): string {
  const conditions = [
    'workspace_id = :workspaceId AND environment = :environment',
    ...(after === null ? [] : ['(created_at, id) < (CAST(:at AS timestamptz), :id)']),
    ...looked,
  ];
  return `SELECT * FROM tollgate.developer_events WHERE ${conditions.join(' AND ')}
           ORDER BY created_at DESC, id DESC LIMIT :scanLimit`;
}

/**
 * Goes through a function because row-level security keeps the runtime's own queries from using the customer's index.
 */
const CUSTOMER_EVENTS = `
  SELECT e.* FROM tollgate.find_customer_events(CAST(:customer AS text), coalesce(CAST(:from AS timestamptz), '-infinity'),
      coalesce(CAST(:to AS timestamptz), 'infinity'), CAST(:at AS timestamptz), :id, :scanLimit) AS found
    JOIN tollgate.developer_events e ON e.workspace_id = :workspaceId AND e.environment = :environment
     AND e.created_at = found.created_at AND e.id = found.id
   ORDER BY e.created_at DESC, e.id DESC`;

function sliceOf(scanned: readonly ScannedRow[], take: number, scanLimit: number): EventSlice {
  const matching = scanned.filter((row) => row.matches);
  const rows = matching.slice(0, take);
  const last = rows.at(-1);
  if (matching.length > take && last !== undefined) return { rows, next: { at: last.at, id: last.id } };
  const stop = scanned.at(-1);
  if (stop !== undefined && Number(stop.ordinal) === scanLimit)
    return { rows, next: { at: stop.at, id: stop.id } };
  return { rows, next: null };
}
