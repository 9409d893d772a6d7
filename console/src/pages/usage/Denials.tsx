import { Text } from '@mantine/core';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { PagedTable } from '../../ui/PagedTable';
import { Panel } from '../../ui/Panel';
import { Sentence } from '../../ui/Sentence';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import type { UsageFilters } from './filters';
import { instantsOf } from './range';

interface DenialsProps {
  filters: UsageFilters;
  /** Workspace time, in epoch milliseconds. */
  now: number;
  /** How far it is ahead of real time, in milliseconds. */
  ahead: number;
}

/** Denied checks and tracks of a period, with the reason. */
export function Denials({ filters, now, ahead }: DenialsProps) {
  const { query } = useWorkspace();
  const { time, unit, zone, customer, feature } = filters;
  // Events are found by real time, so a period up to now ends at the current real time.
  const { from, to } = instantsOf(time, unit, zone, 'range' in time ? now - ahead : now);
  const filter = {
    status: 'DENIED' as const,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    take: 8,
    ...(customer !== undefined && { externalId: customer }),
  };
  return (
    <Panel title={feature === undefined ? 'Denials' : 'Denials, of every feature'}>
      {ahead > 0 && (
        <Text size="xs" c="dimmed" mb="xs">
          By real time, not by the sandbox’s clock.
        </Text>
      )}
      <PagedTable
        label="Denials"
        queryKey={['events', query, filter]}
        load={(cursor) =>
          bodyOf(
            api.GET('/api/developer-events', {
              params: { query: { ...query, ...filter, ...(cursor && { cursor }) } },
            }),
          )
        }
        rowKey={({ id }) => id}
        columns={[
          {
            title: 'When',
            cell: ({ createdAt, data: { decisionId } }) => (
              <>
                <Text size="sm" miw={160}>
                  <Time at={createdAt} />
                </Text>
                {typeof decisionId === 'string' && (
                  <WorkspaceLink size="sm" path={`/decisions?id=${encodeURIComponent(decisionId)}`}>
                    Explain it
                  </WorkspaceLink>
                )}
              </>
            ),
          },
          {
            title: 'What, and why',
            cell: ({ message }) => (
              <bdi>
                <Sentence text={message} />
              </bdi>
            ),
          },
        ]}
        empty={
          <EmptyState title="Nothing was denied in this time">
            A check or a track that is refused shows here with its reason.
          </EmptyState>
        }
      />
    </Panel>
  );
}
