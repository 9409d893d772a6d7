import { BarChart } from '@mantine/charts';
import type { UsageSeries } from '../../api/resources';
import { formatQuantity, formatShortQuantity } from '../../ui/quantity';
import { bucketNames, groupName, rowsOf } from './series-rows';

/** Neighbors in a stack also differ in lightness. */
const COLORS = [
  'toll.6',
  'orange.4',
  'indigo.7',
  'lime.5',
  'grape.7',
  'cyan.4',
  'red.7',
  'yellow.4',
  'blue.6',
  'pink.3',
];
const OTHERS_COLOR = 'gray.5';
const MAX_NAME_LENGTH = 32;
const HEIGHT_PX = 300;

/** Bar chart of usage, stacked by group. For sighted users; the table next to it contains the same data. */
export function SeriesChart({ series }: { series: UsageSeries }) {
  const names = bucketNames(series);
  // Keys are positions rather than names, because the library interprets a name with a dot as a path.
  const bars = series.groups.map((group, place) => ({
    name: `group${place}`,
    label: shortened(groupName(group)),
    color: group.kind === 'other' ? OTHERS_COLOR : (COLORS[place % COLORS.length] ?? OTHERS_COLOR),
  }));
  const data = rowsOf(series).map(({ start, quantities }) => ({
    start,
    ...Object.fromEntries(quantities.map((quantity, place) => [`group${place}`, quantity])),
  }));
  return (
    <div role="img" aria-label="A chart of the numbers in the table below">
      <BarChart
        h={HEIGHT_PX}
        data={data}
        dataKey="start"
        series={bars}
        type="stacked"
        // Focus within an image would be useless. The table is for keyboard users.
        accessibilityLayer={false}
        withLegend={bars.length > 1}
        // oxlint-disable-next-line typescript/no-deprecated -- Mantine sets the same property, and leaves room by it
        legendProps={{ verticalAlign: 'bottom' }}
        valueFormatter={formatQuantity}
        maxBarWidth={48}
        xAxisProps={{ tickFormatter: names.short, minTickGap: 24 }}
        yAxisProps={{ tickFormatter: formatShortQuantity, width: 52 }}
        // Also called if nothing is pointed at.
        tooltipProps={{ labelFormatter: (start) => (typeof start === 'string' ? names.full(start) : '') }}
      />
    </div>
  );
}

function shortened(name: string): string {
  const letters = Array.from(name);
  return letters.length <= MAX_NAME_LENGTH ? name : `${letters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
}
