import { List, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf } from '../../api/client';
import type { Connection } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { PlanPrices } from './PlanPrices';
import { checkName } from './provider-fields';
import { refreshConnections } from './queries';
import { useConnectionRefusal } from './use-connection-refusal';

/** Tests a connection at the provider. @param before content shown while there is no test result */
export function TestConnection({ connection, before }: { connection: Connection; before?: ReactNode }) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const refusal = useConnectionRefusal();
  const test = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/provider-connections/{id}/test', { params: { query, path: { id: connection.id } } }),
      ),
    onSuccess: () => refreshConnections(queries),
  });
  return (
    <Stack>
      {test.data === undefined && before}
      <ReasonedButton
        size="xs"
        variant="default"
        reason={connection.disabledAt === null ? refusal : 'A disabled connection is not tested.'}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        Test the connection
      </ReasonedButton>
      {test.isError && <ProblemPanel error={test.error} />}
      {test.data !== undefined && (
        <>
          <Text size="sm" fw={600} role="status">
            {test.data.ok ? 'Every check passed.' : 'The connection does not work as it should.'}
          </Text>
          <List size="sm" listStyleType="none" aria-label="What the test found">
            {test.data.checks.map(({ check, ok, message }) => (
              <List.Item key={check}>
                <Text span inherit fw={600}>
                  {ok ? '✓' : '✗'} {checkName(check)} {ok ? 'passed' : 'failed'}:
                </Text>{' '}
                {message}
              </List.Item>
            ))}
          </List>
          <PlanPrices prices={test.data.planPrices} />
        </>
      )}
    </Stack>
  );
}
