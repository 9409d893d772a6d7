import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';

const WHILE_MIGRATING_MS = 1_000;
/** Processes come and go: who lacks a key changes by itself. */
const OTHERWISE_MS = 15_000;

/** Where the keys stand, and what is pending; changes nothing. */
export const credentialsQuery = queryOptions({
  queryKey: ['platform', 'credentials'],
  queryFn: () => bodyOf(api.GET('/api/admin/provider-credentials/migrate')),
  refetchInterval: ({ state }) =>
    state.data?.migration?.status === 'running' ? WHILE_MIGRATING_MS : OTHERWISE_MS,
});
