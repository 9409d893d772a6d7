import type { WorkspaceScope } from '../tenancy/actor';
import { rangeFilters, type TimeRange } from './time-range';
import { decodeCursor, encodeCursor, pageOf, type Page } from './cursor';

/** A list in the order of its ids, newest first (ids of one kind sort by creation). */
export interface ListById extends TimeRange {
  secret: string;
  scope: WorkspaceScope;
  /** The list's name; with the filters it is what a cursor is bound to. */
  list: string;
  filters?: Readonly<Record<string, string | undefined>>;
  take: number;
  cursor?: string | undefined;
}

/** A part of such a list, as stores take it: `before` is the id that the page before ended with. */
export interface IdPart extends TimeRange {
  take: number;
  before?: string;
}

/**
 * One page of a list in the order of ids.
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
