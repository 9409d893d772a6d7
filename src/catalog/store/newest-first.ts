import { createdWithin } from '../../db/created-within';
import type { IdPart } from '../../pagination/page-by-id';
import type { Model, QueryBuilder } from 'objection';

/** A part of a list, as stores take it. */
export interface ListPart extends IdPart {
  /** Only the archived, or only those that are not; both when left out. */
  archived?: boolean;
}

/** Newest first; one row more than a page, to tell whether there is another. */
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
