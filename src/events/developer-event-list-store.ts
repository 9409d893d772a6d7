import type { Transaction } from '../db/pools';
import type { EventStatus, EventType } from '../domain/event-types';
import type { WorkspaceScope } from '../tenancy/scope';
import { EVENT_COLUMNS, type DeveloperEventRow } from './developer-event-store';

export interface EventFilters {
  eventType?: EventType | undefined;
  status?: EventStatus | undefined;
  /** Found in `message` or `source`, without regard to case. */
  search?: string | undefined;
}

/** The sort keys of a row; `at` is text with microseconds, which a JavaScript number of milliseconds would drop. */
export interface EventPosition {
  at: string;
  id: string;
}

export interface EventSlice {
  /** At most `take` rows, newest first. */
  rows: DeveloperEventRow[];
  /** Where the next page starts; null at the end of the history. */
  next: EventPosition | null;
}

/** How many rows one call looks at for a filter that no index serves. */
const SCAN_LIMIT = 50_000;

/** What each check and track writes: no index of its own would be smaller than the table. */
const HOT_TYPES: readonly string[] = ['USAGE_CHECKED', 'USAGE_TRACKED'] satisfies EventType[];

type ScannedRow = DeveloperEventRow & EventPosition & { matches: boolean; ordinal: string };

/**
 * One page of a workspace's history, newest first. A filter with an index of its own (a status other than OK, a
 * type other than the two of the hot path) is looked up; the rest is matched over at most `scanLimit` rows, after
 * which the page ends early and `next` says where the scan stopped.
 */
export async function listDeveloperEvents(
  trx: Transaction,
  scope: WorkspaceScope,
  filters: EventFilters,
  page: { take: number; after: EventPosition | null; scanLimit?: number },
): Promise<EventSlice> {
  const scanLimit = page.scanLimit ?? SCAN_LIMIT;
  const { looked, matched } = conditionsOf(filters);
  const { rows } = await trx.raw<{ rows: ScannedRow[] }>(
    `SELECT ${EVENT_COLUMNS}, CAST(created_at AS text) AS at, matches, ordinal
       FROM (SELECT *, (${matched.join(' AND ') || 'true'}) AS matches,
                    row_number() OVER (ORDER BY created_at DESC, id DESC) AS ordinal
               FROM (SELECT * FROM tollgate.developer_events
                      WHERE workspace_id = :workspaceId AND environment = :environment
                        ${page.after === null ? '' : 'AND (created_at, id) < (CAST(:at AS timestamptz), :id)'}
                        ${looked.map((condition) => `AND ${condition}`).join(' ')}
                      ORDER BY created_at DESC, id DESC LIMIT :scanLimit) AS scanned) AS judged
      WHERE matches OR ordinal = :scanLimit
      ORDER BY created_at DESC, id DESC LIMIT :rows`,
    {
      ...scope,
      ...page.after,
      ...filters,
      pattern: filters.search === undefined ? '' : `%${escapeLike(filters.search)}%`,
      scanLimit,
      // One to know that there is more, one for the row where the scan stopped.
      rows: page.take + 2,
    },
  );
  return sliceOf(rows, page.take, scanLimit);
}

function conditionsOf(filters: EventFilters): { looked: string[]; matched: string[] } {
  const looked: string[] = [];
  const matched: string[] = [];
  const { eventType, status, search } = filters;
  // One index serves a query, so the second condition is matched: two looked-up ones would be an unbounded scan.
  if (eventType !== undefined) (HOT_TYPES.includes(eventType) ? matched : looked).push('type = :eventType');
  if (status !== undefined) {
    if (status === 'OK' || looked.length > 0) matched.push('status = :status');
    // The planner takes the partial index only if it can see that the value is not OK.
    else looked.push(`status = :status AND status <> 'OK'`);
  }
  if (looked[0]?.startsWith('type')) looked.push(`type NOT IN ('USAGE_CHECKED', 'USAGE_TRACKED')`);
  if (search !== undefined) matched.push('(message ILIKE :pattern OR source ILIKE :pattern)');
  return { looked, matched };
}

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

/** The characters that LIKE gives a meaning stand for themselves. */
function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
