import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { PagedTable } from '../../ui/PagedTable';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import { providerName } from '../subscriptions/provider-name';
import { ReplayWebhook } from './ReplayWebhook';

/** Verified webhooks and what each has changed. */
export function ReceivedWebhooks() {
  const { query } = useWorkspace();
  return (
    <PagedTable
      label="Webhooks"
      queryKey={['webhooks', query]}
      load={(cursor) =>
        bodyOf(api.GET('/api/webhooks', { params: { query: { ...query, ...(cursor && { cursor }) } } }))
      }
      rowKey={({ id }) => id}
      columns={[
        { title: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} precision="second" /> },
        { title: 'Provider', cell: ({ provider }) => providerName(provider) },
        { title: 'Event', cell: ({ eventType }) => eventType },
        { title: 'Result', cell: ({ status }) => <StatusBadge status={status} /> },
        { title: 'Why', cell: ({ reason }) => <bdi>{reason ?? '–'}</bdi> },
        { title: 'Changes', align: 'right', cell: ({ changes }) => changes.length },
        { title: 'Deliveries', align: 'right', cell: ({ deliveries }) => deliveries },
        { title: '', cell: (webhook) => <ReplayWebhook webhook={webhook} /> },
      ]}
      empty={
        <EmptyState title="No webhook has come yet">
          Register the address of each provider connection at the provider: it stands on the connection’s
          card.
        </EmptyState>
      }
    />
  );
}
