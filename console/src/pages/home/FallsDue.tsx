import { SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { DueSubscription } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { Money } from '../../ui/Money';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { Loading } from '../../ui/Loading';

const SHOWN = 10;
const REFRESH_MS = 60_000;
type Within = 'day' | 'week' | 'month';

/** Upcoming renewals, changes and ends, with the amounts. */
export function FallsDue() {
  const { query } = useWorkspace();
  const [within, setWithin] = useState<Within>('week');
  const due = useQuery({
    queryKey: ['due', query, within],
    queryFn: () =>
      bodyOf(api.GET('/api/billing/due', { params: { query: { ...query, within, take: SHOWN } } })),
    refetchInterval: REFRESH_MS,
  });
  const rows = due.data?.data ?? [];
  return (
    <Panel
      title="Falls due"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="How far ahead"
          data={[
            { value: 'day', label: '24 hours' },
            { value: 'week', label: '7 days' },
            { value: 'month', label: '31 days' },
          ]}
          value={within}
          onChange={(value) => setWithin(value)}
        />
      }
    >
      {due.isPending && <Loading label="Loading what falls due" size="sm" />}
      {due.isError && <ProblemPanel error={due.error} />}
      {due.isSuccess && rows.length === 0 && (
        <Text size="sm">Nothing renews, changes or ends in this time.</Text>
      )}
      {rows.length > 0 && (
        <Stack gap="xs">
          <Table.ScrollContainer minWidth={460}>
            <Table aria-label="What falls due" verticalSpacing={6}>
              <Table.Tbody>
                {rows.map((row) => (
                  <Row key={row.subscriptionId} row={row} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          {due.data?.hasMore === true && (
            <Text size="xs" c="dimmed">
              These are the first {SHOWN}:{' '}
              <WorkspaceLink path={`/subscriptions?renews=${within}`}>all of them</WorkspaceLink>
            </Text>
          )}
        </Stack>
      )}
    </Panel>
  );
}

function Row({ row }: { row: DueSubscription }) {
  const { at, subscriptionId, externalId, plan, steps } = row;
  const estimate = steps.find((step) => step.estimate !== null)?.estimate ?? null;
  return (
    <Table.Tr>
      <Table.Td w={150}>
        <Time at={at} precision="minute" />
      </Table.Td>
      <Table.Td>
        <WorkspaceLink path={`/subscriptions/${subscriptionId}`}>
          <bdi>{externalId}</bdi>
        </WorkspaceLink>{' '}
        <Text span size="xs" c="dimmed">
          <bdi>{plan.name}</bdi>
        </Text>
        {steps.length === 0 && (
          <Text size="xs">The period ends, but something else comes first: see its timeline.</Text>
        )}
        {steps.map(({ kind, message }) => (
          <Text key={kind} size="xs">
            <bdi>{message}</bdi>
          </Text>
        ))}
      </Table.Td>
      <Table.Td ta="right">{estimate === null ? '–' : <Money value={estimate} />}</Table.Td>
    </Table.Tr>
  );
}
