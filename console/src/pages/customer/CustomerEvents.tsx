import { api, bodyOf } from '../../api/client';
import type { Customer } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { PagedTable } from '../../ui/PagedTable';
import { Panel } from '../../ui/Panel';
import { Sentence } from '../../ui/Sentence';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';

/** Events of a customer: checks, tracks, payments and changes. */
export function CustomerEvents({ customer }: { customer: Customer }) {
  const { query } = useWorkspace();
  return (
    <Panel title="Events">
      <PagedTable
        label={`Events of ${customer.externalId}`}
        queryKey={['events', query, { customerId: customer.id }]}
        load={(cursor) =>
          bodyOf(
            api.GET('/api/developer-events', {
              params: { query: { ...query, customerId: customer.id, take: 20, ...(cursor && { cursor }) } },
            }),
          )
        }
        rowKey={({ id }) => id}
        columns={[
          { title: 'When', cell: ({ recordedAt }) => <Time at={recordedAt} precision="second" /> },
          { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          {
            title: 'What',
            cell: ({ message }) => (
              <bdi>
                <Sentence text={message} />
              </bdi>
            ),
          },
        ]}
        empty={
          <EmptyState title="Nothing has happened yet">
            The first check or track with this customer’s external id shows here.
          </EmptyState>
        }
      />
    </Panel>
  );
}
