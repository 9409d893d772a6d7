import { Progress, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { defaultStringifySearch } from '@tanstack/react-router';
import { useWorkspace } from '../../app/workspace';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { formatQuantity } from '../../ui/quantity';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { usageSearch, type UsageFilters } from './filters';
import { usualUnit } from './range';
import { seriesQuery } from './series-query';
import { groupName } from './series-rows';

interface TopCustomersProps {
  filters: UsageFilters;
  /** Workspace time, in epoch milliseconds. */
  now: number;
}

/** The customers with the most usage, each with a link to its own usage. */
export function TopCustomers({ filters, now }: TopCustomersProps) {
  const { query } = useWorkspace();
  // Uses the unit in which ten customers fit into one answer, independent of the chart's unit.
  const unit = usualUnit(filters.time);
  const series = useQuery(seriesQuery(query, { ...filters, unit, grouping: { by: 'customer' } }, now));
  const whole = series.data?.quantity ?? 0;
  return (
    <Panel title="Top customers">
      {series.isError && <ProblemPanel error={series.error} retry={() => void series.refetch()} />}
      {series.data?.events === 0 && <Text size="sm">Nobody used anything in this time.</Text>}
      {series.data !== undefined && series.data.events > 0 && (
        <>
          <Text size="xs" c="dimmed" mb="xs">
            <Time at={series.data.from} /> to <Time at={series.data.to} />
          </Text>
          <Table.ScrollContainer minWidth={360}>
            <Table aria-label="Top customers" verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Customer</Table.Th>
                  <Table.Th ta="right">Used</Table.Th>
                  <Table.Th ta="right">Uses</Table.Th>
                  <Table.Th miw={110}>Share</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {series.data.groups.map((group) => {
                  const share = whole === 0 ? 0 : group.quantity / whole;
                  return (
                    <Table.Tr key={`${group.kind} ${group.key ?? ''}`}>
                      <Table.Td>
                        {group.key === null ? (
                          groupName(group)
                        ) : (
                          <WorkspaceLink path={pathOf(filters, group.key)}>
                            <bdi>{group.key}</bdi>
                          </WorkspaceLink>
                        )}
                      </Table.Td>
                      <Table.Td ta="right">{formatQuantity(group.quantity)}</Table.Td>
                      <Table.Td ta="right">{group.events.toLocaleString()}</Table.Td>
                      <Table.Td>
                        <Text size="xs">
                          {share.toLocaleString(undefined, { style: 'percent', maximumFractionDigits: 1 })}
                        </Text>
                        <Progress value={100 * share} size="sm" aria-hidden />
                      </Table.Td>
                    </Table.Tr>
                  );
                })}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </>
      )}
    </Panel>
  );
}

function pathOf(filters: UsageFilters, externalId: string): string {
  const search = usageSearch({ ...filters, customer: externalId, grouping: { by: 'none' } });
  return `/usage${defaultStringifySearch(search)}`;
}
