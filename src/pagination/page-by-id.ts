import type { WorkspaceScope } from '../tenancy/actor';
import { rangeFilters, type TimeRange } from './time-range';
import { decodeCursor, encodeCursor, pageOf, type Page } from './cursor';

/** A list in id order, newest first (ids of one kind sort by creation). */
export interface ListById extends TimeRange {
  secret: string;
  scope: WorkspaceScope;
  /** The list's name. A cursor is bound to it and the filters. */
  list: string;
  filters?: Readonly<Record<string, string | undefined>>;
  take: number;
  cursor?: string | undefined;
}

/** The part of such a list to read from a store. `before` is the last id of the previous page. */
export interface IdPart extends TimeRange {
  take: number;
  before?: string;
}

/**
 * Reads one page of a list in id order.
 *
 * @param read up to `take + 1` rows, newest first, whose id is smaller than `before`
 * @throws TollgateError cursor_invalid
 */
export async function pageById<Row extends { id: string }>(
  list: ListById,
  read: (page: IdPart) => Promise<Row[]>,
): Promise<Page<Row>> {
  const binding = { ...list.scope, list: list.list, filters: { ...list.filters, ...rangeFilters(list) } };
  const after = list.cursor === undefined ? undefined : decodeCursor(list.secret, binding, list.cursor)[0];
  const { take, from, to } = list;
  const rows = await read({ take, from, to, ...(after === undefined ? {} : { before: String(after) }) });
  return pageOf(rows, list.take, (last) => encodeCursor(list.secret, binding, [last.id]));
}
