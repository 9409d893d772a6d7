import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';

const WHILE_MIGRATING_MS = 1_000;
/** Processes start and stop, so the missing keys change on their own. */
const OTHERWISE_MS = 15_000;

/** State of the keys, and what is pending. Changes nothing. */
export const credentialsQuery = queryOptions({
  queryKey: ['platform', 'credentials'],
  queryFn: () => bodyOf(api.GET('/api/admin/provider-credentials/migrate')),
  refetchInterval: ({ state }) =>
    state.data?.migration?.status === 'running' ? WHILE_MIGRATING_MS : OTHERWISE_MS,
});
