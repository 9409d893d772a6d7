import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Marks the queries of these keys as outdated. Resolves once those that are shown are read again. */
export async function invalidate(queries: QueryClient, keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(
    keys.map(async (queryKey) => {
      // A first read that is under way is not begun again, and may show what was before the change.
      const begun = new Set(
        queries
          .getQueryCache()
          .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined }),
      );
      await queries.invalidateQueries({ queryKey });
      if (begun.size > 0)
        await queries.invalidateQueries({ queryKey, predicate: (query) => begun.has(query) });
    }),
  );
}
