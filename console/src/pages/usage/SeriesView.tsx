import { Button, Center, Group, Loader, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { UsageSeries } from '../../api/resources';
import { saveCsv } from '../../ui/save-csv';
import { ExportUses } from './ExportUses';
import { groupName, rowsOf } from './series-rows';
import { SeriesTable } from './SeriesTable';

/** The chart's library is half as large as everything loaded initially, so it is loaded only if there is a chart. */
const SeriesChart = lazy(async () => ({ default: (await import('./SeriesChart')).SeriesChart }));

/** A series as a chart, as a table with the same figures, and as a file. */
export function SeriesView({ series }: { series: UsageSeries }) {
  return (
    <Stack>
      <Suspense
        fallback={
          <Center h={300}>
            <Loader aria-label="Loading the chart" />
          </Center>
        }
      >
        <SeriesChart series={series} />
      </Suspense>
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

function fileName({ from, to, interval }: UsageSeries): string {
  return `usage-by-${interval}-${from.slice(0, 10)}-to-${to.slice(0, 10)}.csv`;
}

function csvRows(series: UsageSeries): (string | number)[][] {
  const names = series.groups.map(groupName);
  return [
    ['start', ...names, ...(names.length > 1 ? ['Total'] : [])],
    ...rowsOf(series)
      .reverse()
      .map(({ start, quantities, total }) => [
        start,
        ...quantities,
        ...(quantities.length > 1 ? [total] : []),
      ]),
  ];
}
