import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { WebhookEndpoint } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { DAY_HOURS, OverlapHours, overlapProblem } from '../../ui/OverlapHours';
import { ProblemPanel } from '../../ui/ProblemPanel';
import type { TypedNumber } from '../../ui/typed-number';
import { ShowEndpointSecret } from '../webhook-endpoints/ShowEndpointSecret';
import { Dialog } from '../../ui/Dialog';

const MOST_HOURS = 7 * DAY_HOURS;

/** Replaces the secret, while messages are signed with both for some time. */
export function RollSecret({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const [overlapHours, setOverlapHours] = useState<TypedNumber>(DAY_HOURS);
  const roll = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/webhook-endpoints/{id}/roll', {
          params: { query, path: { id: endpoint.id } },
          body: { overlapHours: Number(overlapHours) },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['webhook-endpoint'] }),
    // The answer holds the secret: nothing of it stays when the dialog closes.
    gcTime: 0,
  });
  const secret = roll.data?.secret;
  if (secret !== undefined) return <ShowEndpointSecret secret={secret} onClose={onClose} />;
  return (
    <Dialog isBusy={roll.isPending} opened onClose={onClose} title="Roll the signing secret">
      <Stack>
        <Text size="sm">
          A new secret takes the place of this one. Meanwhile each message carries the signatures of both, so
          that your receivers can change over one by one.
          {endpoint.previousSecretUntil !== null && ' Those of before sign until their own time, too.'} With 0
          hours the new one alone signs, at once.
        </Text>
        <OverlapHours
          label="Hours that the old secret signs, too"
          most={MOST_HOURS}
          value={overlapHours}
          onChange={setOverlapHours}
        />
        {roll.isError && <ProblemPanel error={roll.error} />}
        <Group justify="flex-end">
          <Button variant="default" disabled={roll.isPending} onClick={onClose}>
            Leave it
          </Button>
          <Button
            loading={roll.isPending}
            disabled={overlapProblem(overlapHours, MOST_HOURS) !== null}
            onClick={() => roll.mutate()}
          >
            Make the new secret
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
