import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { Subscription } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { DriftDetails } from './DriftDetails';
import { RepairDrift, type RepairTake } from './RepairDrift';

/** Compares a subscription with its payment provider on request, and repairs differences. */
export function DriftPanel({ subscription }: { subscription: Subscription }) {
  const { query } = useWorkspace();
  const refusal = useRefusal('developer');
  const [isRequested, setRequested] = useState(false);
  const [take, setTake] = useState<RepairTake>();
  const { id } = subscription;
  const drift = useQuery({
    queryKey: ['drift', query, id],
    queryFn: () =>
      bodyOf(api.GET('/api/billing/subscriptions/{id}/drift', { params: { query, path: { id } } })),
    enabled: isRequested,
    // Reading it queries the provider, so it is read only on request, or after a command that may have changed the
    // differences.
    staleTime: Infinity,
    gcTime: 0,
  });
  const compare = () => {
    if (isRequested) void drift.refetch();
    setRequested(true);
  };
  const differences = drift.data?.differences ?? [];
  return (
    <Panel
      title="Compare with the provider"
      actions={
        <Button size="xs" variant="default" loading={drift.isFetching} onClick={compare}>
          Compare now
        </Button>
      }
    >
      <Stack>
        {drift.data === undefined && !drift.isError && (
          <Text size="sm" c="dimmed">
            Reads the subscription at the payment provider and shows what differs. It changes nothing.
          </Text>
        )}
        {drift.isError && <ProblemPanel error={drift.error} />}
        {drift.data !== undefined && <DriftDetails drift={drift.data} />}
        {differences.length > 0 && (
          <Group align="flex-start" gap="xs">
            <ReasonedButton size="xs" reason={refusal} onClick={() => setTake('provider')}>
              Take the provider’s state
            </ReasonedButton>
            <ReasonedButton size="xs" variant="default" reason={refusal} onClick={() => setTake('local')}>
              Write ours to the provider
            </ReasonedButton>
          </Group>
        )}
      </Stack>
      {take !== undefined && drift.data !== undefined && (
        <RepairDrift drift={drift.data} take={take} onClose={() => setTake(undefined)} />
      )}
    </Panel>
  );
}
