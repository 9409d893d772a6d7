import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { readAll } from '../../api/read-all';
import type { Workspace } from '../../app/workspace';

type Query = Workspace['query'];

/** All connections of the environment. */
export function connectionsQuery(query: Query) {
  return queryOptions({
    queryKey: ['connections', query],
    queryFn: () =>
      readAll((cursor) => {
        const params = { query: { ...query, take: 200, ...(cursor && { cursor }) } };
        return bodyOf(api.GET('/api/provider-connections', { params }));
      }),
  });
}

export function connectionQuery(query: Query, id: string) {
  return queryOptions({
    queryKey: ['connection', query, id],
    queryFn: () => bodyOf(api.GET('/api/provider-connections/{id}', { params: { query, path: { id } } })),
  });
}

/** Queries that a change or a test of a connection affects. */
export const CONNECTION_VIEWS = [['connections'], ['connection'], ['overview'], ['access-review']];

/** Refreshes all connections after one was changed or tested. */
export async function refreshConnections(queries: QueryClient): Promise<void> {
  await invalidate(queries, CONNECTION_VIEWS);
}
