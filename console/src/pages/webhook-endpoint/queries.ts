import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { Workspace } from '../../app/workspace';

type Query = Workspace['query'];
const STATE_REFRESH_MS = 30_000;

/** An endpoint. Attempts change its state independently of this page. */
export function endpointQuery(query: Query, id: string) {
  return queryOptions({
    queryKey: ['webhook-endpoint', query, id],
    queryFn: () => bodyOf(api.GET('/api/webhook-endpoints/{id}', { params: { query, path: { id } } })),
    refetchInterval: STATE_REFRESH_MS,
  });
}

/** Queries affected by a change of an endpoint or by sending to it. */
export const ENDPOINT_VIEWS = [
  ['webhook-endpoint'],
  ['webhook-endpoints'],
  ['webhook-deliveries'],
  ['webhook-delivery'],
  ['access-review'],
];
