import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { Workspace } from '../../app/workspace';
import type { UsageFilters } from './filters';
import { groupsWithin, instantsOf } from './range';

/**
 * Builds the query of the series for the filters.
 *
 * @param now workspace time, in epoch milliseconds
 */
export function seriesQuery(query: Workspace['query'], filters: UsageFilters, now: number) {
  const { time, unit, zone, feature, customer, grouping } = filters;
  const { from, to } = instantsOf(time, unit, zone, now);
  const parameters = {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    interval: unit,
    timeZone: zone,
    ...(feature !== undefined && { feature }),
    ...(customer !== undefined && { customer }),
    ...(grouping.by !== 'none' && { groupBy: grouping.by, limit: groupsWithin(time, unit) }),
    ...(grouping.by === 'dimension' && { dimension: grouping.dimension }),
  };
  return queryOptions({
    queryKey: ['usage', query, 'series', parameters],
    queryFn: () =>
      bodyOf(api.GET('/api/billing/usage/series', { params: { query: { ...query, ...parameters } } })),
  });
}
