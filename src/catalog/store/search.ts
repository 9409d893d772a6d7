import type { Model, QueryBuilder } from 'objection';

/**
 * Keeps the rows whose name, slug or key contains the text, in any case. A catalogue is small, so this needs no index.
 *
 * @param slug the column of the identifier that programs use
 * @param search undefined keeps all rows
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
