import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Marks the queries of these keys as outdated. Resolves once those that are shown are read again. */
export async function invalidate(queries: QueryClient, keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
}
