import type { TimeRange } from '../pagination/time-range';

/** A query of knex or Objection. */
interface Narrowable {
  where(column: string, operator: string, value: Date): unknown;
}

/** Restricts a list to rows created within a time range. @param column the creation time */
export function createdWithin(query: Narrowable, column: string, { from, to }: TimeRange): void {
  if (from !== undefined) void query.where(column, '>=', new Date(from));
  if (to !== undefined) void query.where(column, '<', new Date(to));
}
