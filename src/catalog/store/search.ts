import type { Model, QueryBuilder } from 'objection';

/**
 * Leaves in what has the text in its name, or in what programs call it, in any case. A catalogue is small: no index is
 * needed for it.
 *
 * @param slug the column of what programs call it
 * @param search undefined leaves everything in
 */
export function searched<M extends Model>(
  query: QueryBuilder<M>,
  slug: 'slug' | 'key',
  search: string | undefined,
): QueryBuilder<M> {
  if (search === undefined) return query;
  return query.whereRaw('(strpos(lower(name), lower(?)) > 0 OR strpos(lower(??), lower(?)) > 0)', [
    search,
    slug,
    search,
  ]);
}
