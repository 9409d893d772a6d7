import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** Keys of queries, each with those that begin with it; or a predicate. */
export type Outdated = readonly QueryKey[] | ((queryKey: QueryKey) => boolean);

/** Marks queries as outdated. Resolves once those that are shown are read again. */
export async function invalidate(queries: QueryClient, outdated: Outdated): Promise<void> {
  await Promise.all(
    filtersOf(outdated).map(async (filters) => {
      // A read that is under way may show what was before the change. One that is shown and has data is begun again.
      // The others are not, and their end removes the mark.
      const kept = queries
        .getQueryCache()
        .findAll({ ...filters, fetchStatus: 'fetching' })
        .filter((query) => query.state.data === undefined || !query.isActive());
      const markedAgain = kept.map((query) => {
        const marked = markAfterRead(queries, query);
        return query.isActive() ? marked : undefined;
      });
      await Promise.all([queries.invalidateQueries(filters), ...markedAgain]);
    }),
  );
}

async function markAfterRead(queries: QueryClient, query: Query): Promise<void> {
  await query.promise?.catch(() => undefined);
  await queries.invalidateQueries({ predicate: (one) => one === query });
}

type Filters = { queryKey: QueryKey } | { predicate: (query: Query) => boolean };

function filtersOf(outdated: Outdated): Filters[] {
  if (typeof outdated === 'function') return [{ predicate: ({ queryKey }) => outdated(queryKey) }];
  return outdated.map((queryKey) => ({ queryKey }));
}
