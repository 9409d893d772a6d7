import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { Workspace } from '../../app/workspace';

type Query = Workspace['query'];
const STATE_REFRESH_MS = 30_000;

/** An endpoint. Attempts change its state without anybody's doing here. */
export function endpointQuery(query: Query, id: string) {
  return queryOptions({
    queryKey: ['webhook-endpoint', query, id],
    queryFn: () => bodyOf(api.GET('/api/webhook-endpoints/{id}', { params: { query, path: { id } } })),
    refetchInterval: STATE_REFRESH_MS,
  });
}

/** What shows another thing after an endpoint was changed, or sent something. */
export const ENDPOINT_VIEWS = [
  ['webhook-endpoint'],
  ['webhook-endpoints'],
  ['webhook-deliveries'],
  ['webhook-delivery'],
];
