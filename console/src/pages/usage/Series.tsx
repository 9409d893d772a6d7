import { Center } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { ProblemPanel } from '../../ui/ProblemPanel';
import type { UsageFilters } from './filters';
import { seriesQuery } from './series-query';
import { SeriesView } from './SeriesView';
import { Loading } from '../../ui/Loading';

interface SeriesProps {
  filters: UsageFilters;
  /** Workspace time, in epoch milliseconds. */
  now: number;
  /** What to do if nothing was used. */
  ifEmpty?: string;
}

/** Usage over a period. */
export function Series({ filters, now, ifEmpty = hintOf(filters) }: SeriesProps) {
  const { query } = useWorkspace();
  const series = useQuery(seriesQuery(query, filters, now));
  if (series.isPending)
    return (
      <Center h={300}>
        <Loading label="Loading usage" />
      </Center>
    );
  if (series.isError) return <ProblemPanel error={series.error} retry={() => void series.refetch()} />;
  if (series.data.events === 0)
    return <EmptyState title="Nothing was used in this time">{ifEmpty}</EmptyState>;
  return <SeriesView series={series.data} />;
}

function hintOf({ feature, customer }: UsageFilters): string {
  return feature === undefined && customer === undefined
    ? 'Choose a longer time. Usage that your application tracks with its secret key shows here immediately.'
    : 'Choose a longer time, or clear the feature or the customer.';
}
