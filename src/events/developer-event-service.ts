import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { decodeCursor, encodeCursor, type CursorBinding, type Page } from '../pagination/cursor';
import { rangeFilters } from '../pagination/time-range';
import type { TransactionReason, WorkspaceScope } from '../tenancy/actor';
import { toDecision, type Decision } from './decision-resource';
import { findDecisionEvent } from './decision-store';
import type { EventFilters } from './developer-event-filter-store';
import { listDeveloperEvents, type EventPosition } from './developer-event-list-store';
import { toDeveloperEvent, type DeveloperEvent } from './developer-event-resource';

/** The caller and the history it reads. History is the same in every time zone, so no clock is needed. */
interface EventReader {
  scope: WorkspaceScope;
  reason: TransactionReason;
}

interface ListEvents extends EventFilters {
  take: number;
  cursor?: string | undefined;
}

export interface DeveloperEvents {
  /**
   * Returns a page of the history, newest first.
   *
   * @throws TollgateError cursor_invalid
   */
  list(reader: EventReader, input: ListEvents): Promise<Page<DeveloperEvent>>;
  /**
   * Returns why a check or track was decided as it was.
   *
   * @throws TollgateError decision_not_found, also if it is older than the retention of events
   */
  decision(reader: EventReader, id: string): Promise<Decision>;
}

/** @param scanLimit maximum number of rows that one call reads for a filter without an index; lowered in tests */
export function createDeveloperEvents(options: {
  database: Database;
  cursorSecret: string;
  scanLimit?: number;
}): DeveloperEvents {
  const { database, cursorSecret } = options;
  return {
    list: async ({ scope, reason }, input) => {
      const { take, cursor, ...filters } = input;
      const binding: CursorBinding = { ...scope, list: 'developer-events', filters: boundFilters(filters) };
      const after = cursor === undefined ? null : positionOf(decodeCursor(cursorSecret, binding, cursor));
      const page = {
        take,
        after,
        ...(options.scanLimit === undefined ? {} : { scanLimit: options.scanLimit }),
      };
      const { rows, next } = await inWorkspace(database, scope, reason, (trx) =>
        listDeveloperEvents(trx, scope, filters, page),
      );
      const data = rows.map(toDeveloperEvent);
      if (next === null) return { data, hasMore: false };
      return { data, hasMore: true, nextCursor: encodeCursor(cursorSecret, binding, [next.at, next.id]) };
    },

    decision: async ({ scope, reason }, id) => {
      const row = await inWorkspace(database, scope, reason, (trx) => findDecisionEvent(trx, scope, id));
      if (row === undefined) {
        throw new TollgateError('decision_not_found', 'No decision that is still kept has this id.');
      }
      return toDecision(row);
    },
  };
}

/** A cursor is valid only for the same filters. Times are compared as instants. */
function boundFilters({ from, to, ...filters }: EventFilters): CursorBinding['filters'] & object {
  return { ...filters, ...rangeFilters({ from, to }) };
}

function positionOf([at, id]: readonly (string | number)[]): EventPosition {
  if (typeof at !== 'string' || typeof id !== 'string') {
    throw new TollgateError('cursor_invalid', 'This cursor was not issued for this list.');
  }
  return { at, id };
}
