import type { Instant } from '../domain/instant';
import { decodeCursor, encodeCursor, pageOf, type Page } from './cursor';
import type { ListById } from './page-by-id';

/** Where a page of a list in the order of creation ends: the last row's creation, and its id among equals. */
export interface CreationPosition {
  createdAt: Instant;
  id: string;
}

/**
 * One page of a list in the order of creation, newest first. In a sandbox the order of creation is that of its own
 * clock, which ids do not follow.
 *
 * @param read up to `limit` rows that come after `before`
 * @throws TollgateError cursor_invalid
 */
export async function pageByCreation<Row extends CreationPosition>(
  list: ListById,
  read: (page: { limit: number; before?: CreationPosition }) => Promise<Row[]>,
): Promise<Page<Row>> {
  const binding = { ...list.scope, list: list.list, filters: list.filters ?? {} };
  const [createdAt, id] = list.cursor === undefined ? [] : decodeCursor(list.secret, binding, list.cursor);
  const before = id === undefined ? {} : { before: { createdAt: Number(createdAt), id: String(id) } };
  const rows = await read({ limit: list.take + 1, ...before });
  return pageOf(rows, list.take, (last) => encodeCursor(list.secret, binding, [last.createdAt, last.id]));
}
