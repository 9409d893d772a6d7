import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { Id } from '../../ui/Id';
import { Money } from '../../ui/Money';
import { NoneLikeThis } from '../../ui/NoneLikeThis';
import { PagedTable } from '../../ui/PagedTable';
import { StatusBadge } from '../../ui/StatusBadge';
import { StatusFilter, useStatus } from '../../ui/StatusFilter';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { pageOf, useOnlyRecord } from '../../ui/OnlyRecord';
import { refreshWhile } from '../../ui/refresh-while';
import { useCustomerFilter } from './CustomerFilter';

const STATUSES = ['pending', 'succeeded', 'failed'] as const;

/** Refunds, and amounts lost to disputes. */
export function Refunds() {
  const { query } = useWorkspace();
  const id = useOnlyRecord();
  const status = useStatus(STATUSES);
  const filter = { ...useCustomerFilter(), ...(status && { status }) };
  return (
    <>
      {id === undefined && <StatusFilter label="Status of the refunds" statuses={STATUSES} />}
      <PagedTable
        label="Refunds"
        queryKey={['refunds', query, filter, id]}
        load={(cursor) =>
          id === undefined
            ? bodyOf(
                api.GET('/api/billing/refunds', {
                  params: { query: { ...query, ...filter, ...(cursor && { cursor }) } },
                }),
              )
            : pageOf(bodyOf(api.GET('/api/billing/refunds/{id}', { params: { path: { id }, query } })))
        }
        rowKey={({ id }) => id}
        refreshAfter={refreshWhile(({ status }) => status === 'pending')}
        columns={[
          { title: 'Requested', cell: ({ requestedAt }) => <Time at={requestedAt} /> },
          {
            title: 'Customer',
            cell: ({ customerId, externalId }) => (
              <WorkspaceLink path={`/customers/${customerId}`}>
                <bdi>{externalId}</bdi>
              </WorkspaceLink>
            ),
          },
          { title: 'Kind', cell: ({ kind }) => kind },
          { title: 'Amount', align: 'right', cell: ({ amount }) => <Money value={amount} /> },
          { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          {
            title: 'Why',
            cell: ({ reason, failure, waitingFor }) => <bdi>{failure ?? waitingFor ?? reason ?? '–'}</bdi>,
          },
          { title: 'Id', cell: ({ id }) => <Id value={id} /> },
        ]}
        empty={
          Object.keys(filter).length === 0 ? (
            <EmptyState title="There are no refunds">All or part of a payment can be refunded.</EmptyState>
          ) : (
            <NoneLikeThis />
          )
        }
      />
    </>
  );
}
