import { Stack } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { components } from '../../api/schema';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { ListRefusal } from '../../ui/ListRefusal';
import { Id } from '../../ui/Id';
import { Money } from '../../ui/Money';
import { NoneLikeThis } from '../../ui/NoneLikeThis';
import { PagedTable } from '../../ui/PagedTable';
import { RowButton } from '../../ui/RowButton';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { pageOf, useOnlyRecord } from '../../ui/OnlyRecord';
import { useCustomerFilter } from './CustomerFilter';
import { ProrationSides } from './ProrationSides';
import { RecordPayment } from './RecordPayment';

type Transaction = components['schemas']['Transaction'];

/** A transaction itself has only the customer's id. */
const EXPANDED = { expand: 'customer' };

const isOpen = ({ status }: Transaction) => status === 'pending' || status === 'partially_paid';

/** Charges of local billing for each period and each change. */
export function Transactions() {
  const { query } = useWorkspace();
  const id = useOnlyRecord();
  const customer = useCustomerFilter();
  const refusal = useRefusal('admin');
  const [paying, setPaying] = useState<Transaction>();
  return (
    <Stack gap="xs">
      <ListRefusal id="record-refusal" of="Recording a payment" refusal={refusal} />
      <PagedTable
        label="Transactions"
        queryKey={['transactions', query, customer, id]}
        load={(cursor) =>
          id === undefined
            ? bodyOf(
                api.GET('/api/billing/transactions', {
                  params: { query: { ...query, ...EXPANDED, ...customer, ...(cursor && { cursor }) } },
                }),
              )
            : pageOf(
                bodyOf(
                  api.GET('/api/billing/transactions/{id}', {
                    params: { path: { id }, query: { ...query, ...EXPANDED } },
                  }),
                ),
              )
        }
        rowKey={({ id }) => id}
        columns={[
          { title: 'Made', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: 'For',
            cell: ({ customerId, subscriptionId, kind, expanded }) => (
              <>
                <WorkspaceLink path={`/customers/${customerId}`}>
                  <bdi>{expanded?.customer?.externalId ?? customerId}</bdi>
                </WorkspaceLink>
                {/* Far enough below for a finger. */}
                <WorkspaceLink
                  path={`/subscriptions/${subscriptionId}`}
                  size="xs"
                  display="block"
                  w="fit-content"
                  mt={8}
                >
                  {{ initial: 'The first period', renewal: 'A period', proration: 'A change' }[kind]}
                </WorkspaceLink>
              </>
            ),
          },
          { title: 'Total', align: 'right', cell: ({ total }) => <Money value={total} /> },
          { title: 'Open', align: 'right', cell: ({ amountOpen }) => <Money value={amountOpen} /> },
          { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          { title: 'Of', cell: (transaction) => <ProrationSides transaction={transaction} /> },
          {
            title: 'Actions',
            cell: (transaction) =>
              isOpen(transaction) && (
                <RowButton
                  about={`for ${transaction.id}`}
                  refusedBy={refusal === null ? undefined : 'record-refusal'}
                  onClick={() => setPaying(transaction)}
                >
                  Record payment
                </RowButton>
              ),
          },
          { title: 'Id', cell: ({ id }) => <Id value={id} /> },
        ]}
        empty={
          customer.externalId === undefined ? (
            <EmptyState title="There are no transactions yet">
              Local billing makes one for each period, and for each change that takes effect at once. What a
              payment provider charges is listed under Payments.
            </EmptyState>
          ) : (
            <NoneLikeThis />
          )
        }
      />
      {paying !== undefined && <RecordPayment transaction={paying} onClose={() => setPaying(undefined)} />}
    </Stack>
  );
}
