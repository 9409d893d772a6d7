// Here rather than in the chart: the bundler does not load a style sheet again that failed once.
import '@mantine/charts/styles.layer.css';
import { Button, Center, Group, Stack } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { UsageSeries } from '../../api/resources';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { saveCsv } from '../../ui/save-csv';
import { daysWithin, formatInZone } from '../../ui/zone';
import { ExportUses } from './ExportUses';
import { groupName, rowsOf } from './series-rows';
import { SeriesTable } from './SeriesTable';
import { Loading } from '../../ui/Loading';

/** The chart's library is half as large as everything loaded initially, so it is loaded only if there is a chart. */
const chartQuery = queryOptions({
  queryKey: ['series-chart'],
  queryFn: () => import('./SeriesChart'),
  staleTime: Infinity,
  gcTime: Infinity,
});

/** A series as a chart, as a table with the same figures, and as a file. */
export function SeriesView({ series }: { series: UsageSeries }) {
  return (
    <Stack>
      <Chart series={series} />
      <Group justify="space-between" gap="sm">
        <ExportUses series={series} />
        <Button size="xs" variant="default" onClick={() => saveCsv(fileName(series), csvRows(series))}>
          Download the table as CSV
        </Button>
      </Group>
      <SeriesTable series={series} />
    </Stack>
  );
}

/** The chart, or why it could not be loaded: the connection failed, or a newer version has replaced its file. */
function Chart({ series }: { series: UsageSeries }) {
  const chart = useQuery(chartQuery);
  if (chart.isError) return <ProblemPanel error={chart.error} retry={() => void chart.refetch()} />;
  if (chart.isPending)
    return (
      <Center h={300}>
        <Loading label="Loading the chart" />
      </Center>
    );
  const { SeriesChart } = chart.data;
  return <SeriesChart series={series} />;
}

function fileName({ from, to, interval, timeZone }: UsageSeries): string {
  const { first, last } = daysWithin(timeZone, Date.parse(from), Date.parse(to));
  return `usage-by-${interval}-${first}-to-${last}.csv`;
}

function csvRows(series: UsageSeries): (string | number)[][] {
  const names = series.groups.map(groupName);
  return [
    ['start', ...names, ...(names.length > 1 ? ['Total'] : [])],
    ...rowsOf(series)
      .reverse()
      .map(({ start, quantities, total }) => [
        formatInZone(series.timeZone, Date.parse(start)),
        ...quantities,
        ...(quantities.length > 1 ? [total] : []),
      ]),
  ];
}
