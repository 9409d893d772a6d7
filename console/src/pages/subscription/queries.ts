import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import type { Workspace } from '../../app/workspace';

type Query = Workspace['query'];

/** Refreshed while open, because its workflow changes it independently. */
const REFRESH_MS = 10_000;
/** While a command is being carried out. */
const REFRESH_SOON_MS = 2_000;

export function subscriptionQuery(query: Query, id: string) {
  return queryOptions({
    queryKey: ['subscription', query, id],
    queryFn: () => bodyOf(api.GET('/api/billing/subscriptions/{id}', { params: { query, path: { id } } })),
    refetchInterval: REFRESH_MS,
  });
}

/** The commands on a subscription without an outcome. */
export function openCommandsQuery(query: Query, subscriptionId: string) {
  return queryOptions({
    queryKey: ['open-commands', query, subscriptionId],
    queryFn: async () => {
      const filter = { subscriptionId, status: 'open' as const };
      return (
        await bodyOf(api.GET('/api/billing/operations', { params: { query: { ...query, ...filter } } }))
      ).data;
    },
    refetchInterval: ({ state }) => (state.data?.length ? REFRESH_SOON_MS : REFRESH_MS),
  });
}

export function timelineQuery(query: Query, id: string) {
  return infiniteQueryOptions({
    queryKey: ['timeline', query, id],
    queryFn: ({ pageParam }) =>
      bodyOf(
        api.GET('/api/billing/subscriptions/{id}/timeline', {
          params: { query: { ...query, ...(pageParam && { cursor: pageParam }) }, path: { id } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
    refetchInterval: REFRESH_MS,
  });
}

/** Kinds of queries that a command may affect. A preview is not read again, because it may now be refused. */
const CHANGED: readonly unknown[] = [
  'subscription',
  'open-commands',
  'timeline',
  'subscriptions',
  'clock',
  'drift',
];

/** Refreshes everything that a command may have changed. */
export async function refreshSubscriptions(queries: QueryClient): Promise<void> {
  await invalidate(queries, ([kind]) => CHANGED.includes(kind));
}
