import { Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { usePendingIds } from '../../api/use-pending-ids';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { RowButton } from '../../ui/RowButton';
import { timeInSentence } from '../../ui/time';
import { Time } from '../../ui/Time';
import { Loading } from '../../ui/Loading';

const END = ['end session'];

/** The operator's sessions, which can be ended one by one. */
export function Sessions() {
  const queries = useQueryClient();
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => bodyOf(api.GET('/api/auth/sessions')) });
  const end = useMutation({
    mutationKey: END,
    mutationFn: (id: string) => api.DELETE('/api/auth/sessions/{id}', { params: { path: { id } } }),
    // Also after a refusal: the session may have ended elsewhere.
    onSettled: () => invalidate(queries, [['sessions']]),
  });
  const ending = usePendingIds(END);
  return (
    <Panel title="Sessions">
      {sessions.isPending && <Loading label="Loading sessions" size="sm" />}
      {sessions.isError && <ProblemPanel error={sessions.error} retry={() => void sessions.refetch()} />}
      {end.isError && <ProblemPanel error={end.error} />}
      {sessions.data !== undefined && (
        <Table.ScrollContainer minWidth={680}>
          <Table aria-label="Sessions">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Browser</Table.Th>
                <Table.Th>Address</Table.Th>
                <Table.Th>Signed in</Table.Th>
                <Table.Th>Last used</Table.Th>
                <Table.Th>Ends</Table.Th>
                <Table.Th>Actions</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sessions.data.data.map((session) => (
                <Table.Tr key={session.id}>
                  <Table.Td>
                    <Text size="sm" lineClamp={2}>
                      {session.userAgent ?? 'unknown'}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    {session.lastIp ?? '–'}
                    {session.ip !== session.lastIp && session.ip !== null && (
                      <Text size="xs" c="dimmed">
                        signed in from {session.ip}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>
                    <Time at={session.createdAt} />
                  </Table.Td>
                  <Table.Td>
                    <Time at={session.lastSeenAt} />
                  </Table.Td>
                  <Table.Td>
                    <Time at={session.expiresAt} />
                  </Table.Td>
                  <Table.Td>
                    {session.current ? (
                      'this one'
                    ) : (
                      <RowButton
                        about={`the session from ${session.lastIp ?? 'an unknown address'}, signed in ${timeInSentence(session.createdAt, 'second')}`}
                        isBusy={ending.includes(session.id)}
                        onClick={() => end.mutate(session.id)}
                      >
                        End
                      </RowButton>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Panel>
  );
}
