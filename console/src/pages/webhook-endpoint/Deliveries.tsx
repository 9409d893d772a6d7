import { Select, Stack, Text } from '@mantine/core';
import { api, bodyOf } from '../../api/client';
import type { WebhookDelivery, WebhookEndpoint } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { Id } from '../../ui/Id';
import { PagedTable } from '../../ui/PagedTable';
import { Panel } from '../../ui/Panel';
import { RowButton } from '../../ui/RowButton';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import { refreshDeliveries } from './delivery-refresh';
import { useDeliverySearch } from './use-delivery-search';
import { countInWords } from '../../../../src/domain/count-in-words.ts';

const STATUSES = [
  'pending',
  'delivered',
  'failed',
  'cancelled',
] as const satisfies WebhookDelivery['status'][];

/** Messages sent to an endpoint, and their outcomes. */
export function Deliveries({ endpoint: { id } }: { endpoint: WebhookEndpoint }) {
  const { query } = useWorkspace();
  const { status: searched, show } = useDeliverySearch();
  const status = STATUSES.find((one) => one === searched);
  return (
    <Panel
      title="Deliveries"
      actions={
        <Select
          aria-label="Status"
          placeholder="Every status"
          size="xs"
          w={150}
          clearable
          clearButtonProps={{ 'aria-label': 'Show every status' }}
          data={STATUSES}
          value={status ?? null}
          onChange={(value) => show({ status: value ?? undefined })}
        />
      }
    >
      <PagedTable
        label="Deliveries"
        queryKey={['webhook-deliveries', query, id, status]}
        load={(cursor) =>
          bodyOf(
            api.GET('/api/webhook-endpoints/{id}/deliveries', {
              params: {
                query: { ...query, take: 20, ...(status && { status }), ...(cursor && { cursor }) },
                path: { id },
              },
            }),
          )
        }
        refreshAfter={refreshDeliveries}
        minWidth={560}
        rowKey={({ messageId }) => messageId}
        columns={[
          {
            title: 'Message',
            cell: ({ type, createdAt }) => (
              <>
                {type}
                <Text size="xs" c="dimmed">
                  <Time at={createdAt} precision="second" />
                </Text>
              </>
            ),
          },
          {
            title: 'About',
            cell: ({ resource, sequence }) => (
              <Stack gap={0} maw={160}>
                <Id value={resource.id} />
                <Text size="xs" c="dimmed">
                  {resource.type.replaceAll('_', ' ')}, number {sequence.toLocaleString()}
                </Text>
              </Stack>
            ),
          },
          {
            title: 'Status',
            cell: ({ status: state, attemptCount, nextAttemptAt }) => (
              <>
                <StatusBadge status={state} />
                <Text size="xs" c="dimmed">
                  {countInWords(attemptCount, 'attempt')}
                  {nextAttemptAt !== null && (
                    <>
                      , next <Time at={nextAttemptAt} precision="second" />
                    </>
                  )}
                </Text>
              </>
            ),
          },
          {
            title: 'Actions',
            cell: ({ messageId }) => (
              <RowButton
                about={`of ${messageId}`}
                refusedBy={undefined}
                onClick={() => show({ delivery: messageId })}
              >
                Attempts
              </RowButton>
            ),
          },
        ]}
        empty={
          status === undefined ? (
            <EmptyState title="Nothing was sent yet">
              Events are posted to it from now on. Press Send a test to try it.
            </EmptyState>
          ) : (
            <EmptyState title={`None is ${status}`}>Of the last 30 days: older ones are not kept.</EmptyState>
          )
        }
      />
    </Panel>
  );
}
