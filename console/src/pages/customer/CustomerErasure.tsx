import { Code, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { Facts } from '../../ui/Facts';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';

const REFRESH_MS = 2_000;

/** Progress of a customer's erasure, and which providers still hold its data. */
export function CustomerErasure({ erasureId }: { erasureId: string }) {
  const { query } = useWorkspace();
  const { data: erasure, error } = useQuery({
    queryKey: ['customer-erasure', query, erasureId],
    queryFn: () =>
      bodyOf(api.GET('/api/customer-erasures/{id}', { params: { query, path: { id: erasureId } } })),
    refetchInterval: ({ state }) => (state.data?.status === 'complete' ? false : REFRESH_MS),
  });
  return (
    <Panel title="Erasure">
      {error !== null && <ProblemPanel error={error} />}
      {erasure !== undefined && (
        <Stack gap="xs">
          <Facts
            facts={[
              ['State', <StatusBadge key="state" status={erasure.status} />],
              ['Requested', <Time key="requested" at={erasure.requestedAt} />],
              erasure.completedAt !== null && ['Complete', <Time key="done" at={erasure.completedAt} />],
              [
                'Rows blanked',
                Object.values(erasure.blanked)
                  .reduce((sum, rows) => sum + rows, 0)
                  .toLocaleString(),
              ],
            ]}
          />
          {erasure.providersHoldingData.length > 0 && (
            <>
              <Text size="sm">
                Payment providers still hold data of the customer. Erase it there as well:
              </Text>
              <List size="sm">
                {erasure.providersHoldingData.map(({ connectionId, provider, references }) => (
                  <List.Item key={connectionId}>
                    <WorkspaceLink path={`/connections/${connectionId}`}>{provider}</WorkspaceLink>:{' '}
                    {references.map(({ kind, reference }) => (
                      <span key={`${kind} ${reference}`}>
                        {kind} <Code style={{ overflowWrap: 'anywhere' }}>{reference}</Code>{' '}
                      </span>
                    ))}
                  </List.Item>
                ))}
              </List>
            </>
          )}
        </Stack>
      )}
    </Panel>
  );
}
