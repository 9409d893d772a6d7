import { createdWithin } from '../../db/created-within';
import type { IdPart } from '../../pagination/page-by-id';
import type { Model, QueryBuilder } from 'objection';

/** A part of a list, in the form that stores take. */
export interface ListPart extends IdPart {
  /** true: only archived rows; false: only others; omitted: both. */
  archived?: boolean;
}

/** Sorts newest first. Returns one row more than a page, to show whether another page follows. */
export function newestFirst<M extends Model>(
  query: QueryBuilder<M>,
  { take, before, archived, ...range }: ListPart,
): QueryBuilder<M> {
  void query.orderBy('id', 'desc').limit(take + 1);
  if (before !== undefined) void query.where('id', '<', before);
  createdWithin(query, 'created_at', range);
  if (archived === true) void query.whereNotNull('archived_at');
  if (archived === false) void query.whereNull('archived_at');
  return query;
}
