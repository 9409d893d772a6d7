import { Stack, Text } from '@mantine/core';
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
import { refreshWhile } from '../../ui/refresh-while';
import { RowButton } from '../../ui/RowButton';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { providerName } from '../../ui/providers';
import { pageOf, useOnlyRecord } from '../../ui/OnlyRecord';
import { useCustomerFilter } from './CustomerFilter';
import { RefundPayment } from './RefundPayment';

type Payment = components['schemas']['Payment'];

const isRefundable = ({ status, refundableAmount }: Payment) =>
  status === 'succeeded' && refundableAmount.amount !== '0';

const isPending = ({ status }: Payment) => status === 'pending';

/** Payments by customers. */
export function Payments() {
  const { query } = useWorkspace();
  const id = useOnlyRecord();
  const customer = useCustomerFilter();
  const refusal = useRefusal('admin');
  const [refunding, setRefunding] = useState<Payment>();
  return (
    <Stack gap="xs">
      <ListRefusal id="refund-refusal" of="Refunding a payment" refusal={refusal} />
      <PagedTable
        label="Payments"
        queryKey={['payments', query, customer, id]}
        load={(cursor) =>
          id === undefined
            ? bodyOf(
                api.GET('/api/billing/payments', {
                  params: { query: { ...query, ...customer, ...(cursor && { cursor }) } },
                }),
              )
            : pageOf(bodyOf(api.GET('/api/billing/payments/{id}', { params: { path: { id }, query } })))
        }
        rowKey={({ id }) => id}
        refreshAfter={refreshWhile(isPending)}
        columns={[
          { title: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
          {
            title: 'Customer',
            cell: ({ customerId, externalId }) => (
              <WorkspaceLink path={`/customers/${customerId}`}>
                <bdi>{externalId}</bdi>
              </WorkspaceLink>
            ),
          },
          { title: 'Amount', align: 'right', cell: ({ amount }) => <Money value={amount} /> },
          {
            title: 'Refunded',
            align: 'right',
            cell: ({ refundedAmount }) => <Money value={refundedAmount} />,
          },
          {
            title: 'Status',
            cell: ({ status, dispute }) => (
              <>
                <StatusBadge status={status} />
                {dispute !== null && (
                  <Text size="xs" c="dimmed">
                    dispute over <Money value={dispute.amount} />: {dispute.status}
                  </Text>
                )}
              </>
            ),
          },
          { title: 'Provider', cell: ({ provider }) => providerName(provider) },
          {
            title: 'Actions',
            cell: (payment) =>
              isRefundable(payment) && (
                <RowButton
                  about={`of ${payment.id}`}
                  refusedBy={refusal === null ? undefined : 'refund-refusal'}
                  onClick={() => setRefunding(payment)}
                >
                  Refund
                </RowButton>
              ),
          },
          { title: 'Id', cell: ({ id }) => <Id value={id} /> },
        ]}
        empty={
          customer.externalId === undefined ? (
            <EmptyState title="There are no payments yet">
              What payment providers collect shows here by their webhooks; for local billing a payment is
              recorded by hand.
            </EmptyState>
          ) : (
            <NoneLikeThis />
          )
        }
      />
      {refunding !== undefined && (
        <RefundPayment payment={refunding} onClose={() => setRefunding(undefined)} />
      )}
    </Stack>
  );
}
