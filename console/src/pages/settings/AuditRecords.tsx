import { api, bodyOf } from '../../api/client';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { Id } from '../../ui/Id';
import { PagedTable } from '../../ui/PagedTable';
import { Panel } from '../../ui/Panel';
import { Time } from '../../ui/Time';

/** The audit records, for admins. */
export function AuditRecords() {
  const { query } = useWorkspace();
  const refusal = useRefusal('admin');
  return (
    <Panel title="Audit">
      {refusal !== null ? (
        <EmptyState title="Admins read the audit records">{refusal}</EmptyState>
      ) : (
        <PagedTable
          label="Audit records"
          queryKey={['audit', query]}
          load={(cursor) =>
            bodyOf(
              api.GET('/api/audit', { params: { query: { ...query, take: 20, ...(cursor && { cursor }) } } }),
            )
          }
          rowKey={({ id }) => id}
          columns={[
            { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} precision="second" /> },
            { title: 'What', cell: ({ action }) => action },
            { title: 'To', cell: ({ target }) => (target === null ? '–' : <Id value={target} />) },
            {
              title: 'Who',
              cell: ({ operator, apiKey, reason }) =>
                apiKey === null ? (
                  <bdi>{operator?.name ?? (reason === 'CUSTOMER' ? 'the customer' : 'the service')}</bdi>
                ) : (
                  <>
                    the key <bdi>{apiKey.name}</bdi> …{apiKey.lastFour}
                  </>
                ),
            },
          ]}
          empty={
            <EmptyState title="Nothing was done yet">
              Each action of an operator or a key is listed here.
            </EmptyState>
          }
        />
      )}
    </Panel>
  );
}
