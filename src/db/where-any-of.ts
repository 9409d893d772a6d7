import type { Knex } from 'knex';

/**
 * Restricts rows to those whose key a query selects. Unlike `whereIn`, the query runs once whatever the planner
 * expects: without statistics, or with old ones, it expects a single row, and would run a query with a limit again for
 * each row.
 */
export function whereAnyOf<Rows extends Knex.QueryBuilder>(
  rows: Rows,
  key: string,
  keys: Knex.QueryBuilder,
): Rows {
  return rows.whereRaw('?? = ANY (ARRAY(?))', [key, keys]) as Rows;
}
