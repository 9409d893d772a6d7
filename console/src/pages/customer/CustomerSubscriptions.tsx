import { api, bodyOf } from '../../api/client';
import type { Customer } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { PagedTable } from '../../ui/PagedTable';
import { Panel } from '../../ui/Panel';
import { subscriptionColumns } from '../subscriptions/subscription-columns';

/** Subscriptions of a customer. */
export function CustomerSubscriptions({ customer }: { customer: Customer }) {
  const { query } = useWorkspace();
  return (
    <Panel title="Subscriptions">
      <PagedTable
        label={`Subscriptions of ${customer.externalId}`}
        queryKey={['subscriptions', query, { customerId: customer.id }]}
        load={(cursor) =>
          bodyOf(
            api.GET('/api/billing/subscriptions', {
              params: { query: { ...query, customerId: customer.id, ...(cursor && { cursor }) } },
            }),
          )
        }
        rowKey={({ id }) => id}
        minWidth={560}
        columns={subscriptionColumns.filter(({ title }) => title !== 'Customer')}
        empty={
          <EmptyState title="No subscription yet">
            One begins with a checkout, or here with local billing: Subscriptions, New subscription.
          </EmptyState>
        }
      />
    </Panel>
  );
}
