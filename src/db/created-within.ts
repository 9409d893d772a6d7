import type { TimeRange } from '../pagination/time-range';

/** A query of knex or of Objection. */
interface Narrowable {
  where(column: string, operator: string, value: Date): unknown;
}

/** Leaves of a list what was created within a time. @param column when a row was created */
export function createdWithin(query: Narrowable, column: string, { from, to }: TimeRange): void {
  if (from !== undefined) void query.where(column, '>=', new Date(from));
  if (to !== undefined) void query.where(column, '<', new Date(to));
}
