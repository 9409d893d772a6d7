import { Button, Menu, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DAY_MS } from '../../../../src/domain/instant.ts';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { isOutcomeUnknown } from '../../api/problem';
import type { components } from '../../api/schema';
import { clockQuery } from '../../app/clock-query';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { Dialog } from '../../ui/Dialog';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { Time } from '../../ui/Time';

type Advance = components['schemas']['SandboxClockAdvance'];

/** Advances the sandbox's time, and shows which boundaries fired. */
export function AdvanceClock() {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const refusal = useRefusal('developer');
  const [fired, setFired] = useState<Advance>();
  // The time that is read first moves nothing.
  const [isSent, setSent] = useState(false);
  const refresh = () => invalidate(queries, ([kind]) => kind !== 'session');
  const advance = useMutation({
    mutationFn: async (by: 'next_boundary' | number): Promise<Advance> => {
      setSent(false);
      const { now } = await queries.query({ ...clockQuery(query), staleTime: 0 });
      const body = by === 'next_boundary' ? { by } : { to: new Date(Date.parse(now) + by).toISOString() };
      setSent(true);
      return bodyOf(
        api.POST('/api/sandbox/clock', { params: { query: { ...query, env: 'sandbox' } }, body }),
      );
    },
    onSuccess: async (answer) => {
      setFired(answer);
      await refresh();
    },
    onError: (error) => {
      if (isOutcomeUnknown(error)) void refresh();
    },
  });
  if (refusal !== null)
    return (
      <ReasonedButton size="xs" variant="default" reason={refusal}>
        Advance the clock
      </ReasonedButton>
    );
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" loading={advance.isPending}>
            Advance the clock
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => advance.mutate('next_boundary')}>To the next step</Menu.Item>
          <Menu.Item onClick={() => advance.mutate(DAY_MS)}>By a day</Menu.Item>
          <Menu.Item onClick={() => advance.mutate(7 * DAY_MS)}>By a week</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {advance.isError && (
        <Dialog
          opened
          onClose={advance.reset}
          title={
            isSent && isOutcomeUnknown(advance.error) ? 'The clock may have moved' : 'The clock was not moved'
          }
        >
          <ProblemPanel error={advance.error} />
        </Dialog>
      )}
      {fired !== undefined && (
        <Dialog opened onClose={() => setFired(undefined)} title="The sandbox’s clock has moved">
          <Fired advance={fired} />
        </Dialog>
      )}
    </>
  );
}

function Fired({ advance: { now, fired, firedMore } }: { advance: Advance }) {
  return (
    <Stack gap="sm">
      <Text size="sm">
        It is <Time at={now} precision="second" /> now.
        {fired.length === 0
          ? ' Nothing was due in between.'
          : ' What was due in between, if nothing is paid:'}
      </Text>
      {fired.length > 0 && (
        <Table aria-label="What was due" verticalSpacing={4}>
          <Table.Tbody>
            {fired.map(({ subscriptionId, boundary, what }) => (
              <Table.Tr key={`${subscriptionId} ${boundary} ${what}`}>
                <Table.Td>
                  <Time at={boundary} />
                </Table.Td>
                <Table.Td>{what.replaceAll('_', ' ')}</Table.Td>
                <Table.Td>{subscriptionId}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {firedMore && <Text size="sm">There are more than listed.</Text>}
    </Stack>
  );
}
