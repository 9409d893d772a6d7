import { Button, List, Stack, Text } from '@mantine/core';
import { useIsFetching } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { newKey } from '../../api/new-key';
import type { Connection } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { PagedTable } from '../../ui/PagedTable';
import { Panel } from '../../ui/Panel';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { fieldName, resultInWords, valueInWords } from '../subscription/drift-words';

/** Compares the open subscriptions of a connection with its provider on request, a page at a time. */
export function ConnectionDrift({ connection: { id } }: { connection: Connection }) {
  const { query } = useWorkspace();
  /** Each comparison is a separate list, because pages already read show an earlier state. */
  const [comparison, setComparison] = useState<string>();
  const isComparing = useIsFetching({ queryKey: ['connection-drift', query, id] }) > 0;
  return (
    <Panel
      title="Drift"
      actions={
        <Button size="xs" variant="default" loading={isComparing} onClick={() => setComparison(newKey())}>
          Compare now
        </Button>
      }
    >
      <Stack>
        <Text size="sm" c="dimmed">
          Each open subscription is read at the provider, newest first, 25 at a time. That changes nothing.
          Every difference is repaired on the subscription’s page.
        </Text>
        {comparison !== undefined && (
          <PagedTable
            label="Comparisons"
            queryKey={['connection-drift', query, id, comparison]}
            load={(cursor) =>
              bodyOf(
                api.GET('/api/provider-connections/{id}/drift', {
                  params: { query: { ...query, take: 25, ...(cursor && { cursor }) }, path: { id } },
                }),
              )
            }
            rowKey={({ subscriptionId }) => subscriptionId}
            columns={[
              {
                title: 'Subscription',
                cell: ({ subscriptionId }) => (
                  <WorkspaceLink path={`/subscriptions/${subscriptionId}`}>{subscriptionId}</WorkspaceLink>
                ),
              },
              { title: 'Result', cell: resultInWords },
              {
                title: 'Here and at the provider',
                cell: ({ differences, unverifiable, inSync }) => (
                  <List size="sm" listStyleType="none">
                    {differences.map(({ field, local, provider, words }) => (
                      <List.Item key={`${field} ${words}`}>
                        {fieldName(field)}: {valueInWords(local)} here, {valueInWords(provider)} there
                      </List.Item>
                    ))}
                    {inSync === null &&
                      unverifiable.map(({ field, reason }) => (
                        <List.Item key={`${field} ${reason}`}>
                          {fieldName(field)}: {reason}
                        </List.Item>
                      ))}
                  </List>
                ),
              },
              { title: 'Compared', cell: ({ checkedAt }) => <Time at={checkedAt} precision="second" /> },
            ]}
            empty={
              <EmptyState title="There is nothing to compare">
                This connection has no open subscription.
              </EmptyState>
            }
          />
        )}
      </Stack>
    </Panel>
  );
}
