import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { PagedTable } from '../../ui/PagedTable';
import { Time } from '../../ui/Time';
import { providerName } from '../../ui/providers';

const KINDS = {
  signature: 'Not verified',
  processing: 'Not processed',
  unavailable: 'Provider unreachable',
} as const;

/** Deliveries that were answered with an error. */
export function WebhookFailures() {
  const { query } = useWorkspace();
  return (
    <PagedTable
      label="Failed deliveries"
      queryKey={['webhook-failures', query]}
      load={(cursor) =>
        bodyOf(
          api.GET('/api/webhooks/failures', { params: { query: { ...query, ...(cursor && { cursor }) } } }),
        )
      }
      rowKey={({ id }) => id}
      columns={[
        { title: 'Last', cell: ({ lastAt }) => <Time at={lastAt} precision="second" /> },
        { title: 'First', cell: ({ firstAt }) => <Time at={firstAt} precision="second" /> },
        { title: 'Times', align: 'right', cell: ({ count }) => count.toLocaleString() },
        { title: 'Provider', cell: ({ provider }) => providerName(provider) },
        { title: 'What', cell: ({ kind }) => KINDS[kind] },
        { title: 'Why', cell: ({ reason }) => <bdi>{reason}</bdi> },
      ]}
      empty={<EmptyState title="Nothing has failed">Every delivery was verified and processed.</EmptyState>}
    />
  );
}
