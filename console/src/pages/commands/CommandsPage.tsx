import { Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import { wordOf } from '../../app/search-params';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { Id } from '../../ui/Id';
import { PageHeader } from '../../ui/PageHeader';
import { NoneLikeThis } from '../../ui/NoneLikeThis';
import { OnlyRecord, pageOf, useOnlyRecord, useShowAll } from '../../ui/OnlyRecord';
import { OnlyThese } from '../../ui/OnlyThese';
import { PagedTable } from '../../ui/PagedTable';
import { refreshWhile } from '../../ui/refresh-while';
import { StatusBadge } from '../../ui/StatusBadge';
import { StatusFilter, useStatus } from '../../ui/StatusFilter';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';

const STATUSES = ['open', 'succeeded', 'refused', 'abandoned'] as const;

/** Commands of integrators, operators and customers, with their status. */
export function CommandsPage() {
  const { query } = useWorkspace();
  const id = useOnlyRecord();
  const status = useStatus(STATUSES);
  const subscriptionId = wordOf(useSearch({ strict: false }), 'subscriptionId');
  const showAll = useShowAll('subscriptionId');
  const filter = { ...(status && { status }), ...(subscriptionId !== undefined && { subscriptionId }) };
  return (
    <>
      <PageHeader
        title="Commands"
        about="Changes of subscriptions, payments, refunds and checkouts of the last 30 days, and how each ended. Open commands continue by themselves."
      />
      <OnlyRecord />
      {id === undefined && subscriptionId !== undefined && (
        <OnlyThese onClear={showAll}>
          Only of the subscription <bdi>{subscriptionId}</bdi>.
        </OnlyThese>
      )}
      {id === undefined && <StatusFilter label="Status of the commands" statuses={STATUSES} />}
      <PagedTable
        label="Commands"
        queryKey={['operations', query, filter, id]}
        load={(cursor) =>
          id === undefined
            ? bodyOf(
                api.GET('/api/billing/operations', {
                  params: { query: { ...query, ...filter, ...(cursor && { cursor }) } },
                }),
              )
            : pageOf(bodyOf(api.GET('/api/billing/operations/{id}', { params: { path: { id }, query } })))
        }
        rowKey={({ id }) => id}
        refreshAfter={refreshWhile(({ finishedAt }) => finishedAt === null)}
        columns={[
          { title: 'Requested', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: 'Command',
            cell: ({ kind, id }) => (
              <>
                <Text size="sm">{kind.replaceAll('_', ' ')}</Text>
                <Id value={id} />
              </>
            ),
          },
          {
            title: 'Of',
            cell: ({ subscriptionId, targetId }) =>
              subscriptionId === null ? (
                <Id value={targetId} />
              ) : (
                <WorkspaceLink path={`/subscriptions/${subscriptionId}`} ff="monospace" size="xs">
                  {subscriptionId}
                </WorkspaceLink>
              ),
          },
          { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          { title: 'Why', cell: ({ problem }) => <bdi>{problem?.detail ?? '–'}</bdi> },
          { title: 'Ended', cell: ({ finishedAt }) => <Time at={finishedAt} /> },
        ]}
        empty={
          status === undefined && subscriptionId === undefined ? (
            <EmptyState title="There are no commands yet">
              Each change of a subscription, payment, refund or checkout is listed here for 30 days.
            </EmptyState>
          ) : (
            <NoneLikeThis />
          )
        }
      />
    </>
  );
}
