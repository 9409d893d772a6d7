import type { Knex } from 'knex';
import { createdWithin } from './created-within';
import type { CreationPart } from '../pagination/page-by-creation';

/**
 * Sorts a list by creation and then id, newest first, and selects a page of it.
 *
 * @param table the alias of the listed table
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
  // Two conditions instead of a row comparison, because row-level security keeps a row comparison from using the index.
  const createdAt = new Date(before.createdAt);
  void query.where(created, '<=', createdAt).where((older) => {
    void older.where(created, '<', createdAt).orWhere(id, '<', before.id);
  });
}
