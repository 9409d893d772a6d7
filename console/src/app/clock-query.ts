import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client';
import type { Workspace } from './workspace';

/** The workspace time: that of the sandbox's clock, or real time in production. */
export function clockQuery({ organizationId, env }: Workspace['query']) {
  return queryOptions({
    queryKey: ['clock', organizationId, env],
    queryFn: () =>
      env === 'sandbox'
        ? bodyOf(api.GET('/api/sandbox/clock', { params: { query: { organizationId, env } } }))
        : Promise.resolve({ now: new Date().toISOString(), offsetMs: 0 }),
    refetchInterval: 30_000,
  });
}
