import type { Knex } from 'knex';
import type { TimeRange } from '../pagination/time-range';

/** Leaves of a list what was created within a time. @param column when a row was created */
export function createdWithin(query: Knex.QueryBuilder, column: string, { from, to }: TimeRange): void {
  if (from !== undefined) void query.where(column, '>=', new Date(from));
  if (to !== undefined) void query.where(column, '<', new Date(to));
}
