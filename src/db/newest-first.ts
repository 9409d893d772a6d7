import type { Knex } from 'knex';
import { createdWithin } from './created-within';
import type { CreationPart } from '../pagination/page-by-creation';

/**
 * Puts a list in the order of creation, newest first, with the id among equals, and takes a page of it.
 *
 * @param table the alias of the table that is listed
 */
export function newestFirst(
  query: Knex.QueryBuilder,
  table: string,
  { limit, before, ...range }: CreationPart,
): void {
  const [created, id] = [`${table}.created_at`, `${table}.id`];
  void query.orderBy([
    { column: created, order: 'desc' },
    { column: id, order: 'desc' },
  ]);
  void query.limit(limit);
  createdWithin(query, created, range);
  if (before === undefined) return;
  // Two conditions rather than a row comparison, which row-level security keeps from the index.
  const createdAt = new Date(before.createdAt);
  void query.where(created, '<=', createdAt).where((older) => {
    void older.where(created, '<', createdAt).orWhere(id, '<', before.id);
  });
}
