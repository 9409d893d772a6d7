import { Table, Text } from '@mantine/core';
import type { UsageSeries } from '../../api/resources';
import { formatQuantity } from '../../ui/quantity';
import { formatUtc } from '../../ui/time';
import { bucketNames, groupName, rowsOf } from './series-rows';
import classes from './SeriesTable.module.css';

/** The figures of a chart: a row for each hour, day or month, newest first, a column for each group. */
export function SeriesTable({ series }: { series: UsageSeries }) {
  const { groups, interval, quantity, timeZone } = series;
  const { full } = bucketNames(series);
  const isGrouped = groups.length > 1;
  return (
    <Table.ScrollContainer minWidth={180 + (groups.length + 1) * 110} maxHeight={420}>
      <Table aria-label="Usage over time" stickyHeader verticalSpacing={4} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">
              {interval === 'hour' ? 'Hour' : interval === 'day' ? 'Day' : 'Month'}{' '}
              <Text span size="xs" c="dimmed">
                {timeZone}
              </Text>
            </Table.Th>
            {groups.map((group, place) => (
              <Table.Th key={place} ta="right" scope="col">
                <bdi className={classes.name} title={groupName(group)}>
                  {groupName(group)}
                </bdi>
              </Table.Th>
            ))}
            {isGrouped && (
              <Table.Th ta="right" scope="col">
                Total
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rowsOf(series)
            .reverse()
            .map(({ start, quantities, total }) => (
              <Table.Tr key={start}>
                <Table.Th scope="row" fw={400}>
                  <time dateTime={start} title={formatUtc(start)}>
                    {full(start)}
                  </time>
                </Table.Th>
                {quantities.map((used, place) => (
                  <Table.Td key={place} ta="right" className={classes.figure}>
                    {formatQuantity(used)}
                  </Table.Td>
                ))}
                {isGrouped && (
                  <Table.Td ta="right" className={classes.figure}>
                    {formatQuantity(total)}
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
        </Table.Tbody>
        <Table.Tfoot className={classes.foot}>
          <Table.Tr>
            <Table.Th scope="row">Total</Table.Th>
            {groups.map((group, place) => (
              <Table.Th key={place} ta="right" className={classes.figure}>
                {formatQuantity(group.quantity)}
              </Table.Th>
            ))}
            {isGrouped && (
              <Table.Th ta="right" className={classes.figure}>
                {formatQuantity(quantity)}
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  );
}
