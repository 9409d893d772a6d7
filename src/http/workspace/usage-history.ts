import type { Services } from '../../service/services';
import { seriesQuery, seriesSchema } from '../../usage-history/series-resource';
import { mountedRoute, type MountedRoute } from '../mounted-route';

const tag = 'Usage';

/** `/v1/usage/…` and `/api/billing/usage/…`: what was used, over time and use by use. */
export function usageHistoryRoutes({ usageSeries }: Pick<Services, 'usageSeries'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'get',
      operationId: 'readUsageSeries',
      summary: 'Read usage over time',
      description:
        'Sums by hour, day or month of a time zone, of everything that is recorded when it is asked: late uses stand at the time of their use, and what was taken back is left out. At most 1,000 points, counting `limit` groups and one of the others.',
      tag,
      console: { path: '/api/billing/usage/series', role: 'viewer' },
      v1: { path: '/v1/usage/series', scopes: { anyOf: ['read'] } },
      query: seriesQuery,
      responses: { 200: { description: 'The series', schema: seriesSchema } },
      errors: ['series_too_long', 'feature_not_found', 'customer_not_found', 'dimension_not_declared'],
      answer: (actor, { query }) => usageSeries.read(actor, query),
    }),
  ];
}
