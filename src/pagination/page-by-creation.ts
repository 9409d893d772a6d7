import type { Instant } from '../domain/instant';
import { decodeCursor, encodeCursor, pageOf, type Page } from './cursor';
import type { ListById } from './page-by-id';
import { rangeFilters, type TimeRange } from './time-range';

/** End of a page of a list in creation order: the last row's creation time, and its id among equal times. */
export interface CreationPosition {
  createdAt: Instant;
  id: string;
}

/** The part of such a list to read from a store. */
export interface CreationPart extends TimeRange {
  limit: number;
  before?: CreationPosition;
}

/**
 * Reads one page of a list in creation order, newest first. In a sandbox, creation times follow its own clock, unlike
 * ids.
 *
 * @param read up to `limit` rows that come after `before`
 * @throws TollgateError cursor_invalid
 */
export async function pageByCreation<Row extends CreationPosition>(
  list: ListById,
  read: (page: CreationPart) => Promise<Row[]>,
): Promise<Page<Row>> {
  const binding = { ...list.scope, list: list.list, filters: { ...list.filters, ...rangeFilters(list) } };
  const [createdAt, id] = list.cursor === undefined ? [] : decodeCursor(list.secret, binding, list.cursor);
  const before = id === undefined ? {} : { before: { createdAt: Number(createdAt), id: String(id) } };
  const { take, from, to } = list;
  const rows = await read({ limit: take + 1, from, to, ...before });
  return pageOf(rows, list.take, (last) => encodeCursor(list.secret, binding, [last.createdAt, last.id]));
}
