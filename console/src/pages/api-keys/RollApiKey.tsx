import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { components } from '../../api/schema';
import { useWorkspace } from '../../app/workspace';
import { isolate } from '../../ui/isolate';
import { DAY_HOURS, OverlapHours, overlapProblem } from '../../ui/OverlapHours';
import { ProblemPanel } from '../../ui/ProblemPanel';
import type { TypedNumber } from '../../ui/typed-number';
import { ShowSecret } from './ShowSecret';
import { Dialog } from '../../ui/Dialog';

interface RollApiKeyProps {
  apiKey: components['schemas']['ApiKey'];
  /** Why the operator may not; null where they may. */
  refusal: string | null;
}

const MOST_HOURS = 30 * DAY_HOURS;

/** Replaces a key by one that may do the same, while both work for some time. One that has ended has nothing to replace. */
export function RollApiKey({ apiKey, refusal }: RollApiKeyProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  // The dialog shows a new key once: it stays although the key that was replaced ends at once.
  if (refusal !== null || (hasEnded(apiKey) && !isOpen)) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={open}>
        Roll
      </Button>
      {isOpen && <RollDialog apiKey={apiKey} onClose={close} />}
    </>
  );
}

function hasEnded({ expiresAt }: RollApiKeyProps['apiKey']): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}

function RollDialog({ apiKey, onClose }: { apiKey: RollApiKeyProps['apiKey']; onClose: () => void }) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const [overlapHours, setOverlapHours] = useState<TypedNumber>(DAY_HOURS);
  const roll = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/api-keys/{id}/roll', {
          params: { query, path: { id: apiKey.id } },
          body: { overlapHours: Number(overlapHours) },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['api-keys'] }),
    // The answer holds the key: nothing of it stays when the dialog closes.
    gcTime: 0,
  });
  const secret = roll.data?.secret;
  if (secret !== undefined) return <ShowSecret secret={secret} onClose={onClose} />;
  return (
    <Dialog isBusy={roll.isPending} opened onClose={onClose} title={`Roll ${isolate(apiKey.name)}`}>
      <Stack>
        <Text size="sm">
          A new key with the same name, scopes and end takes its place. The old one goes on meanwhile, so that
          your servers can change over one by one.
        </Text>
        <OverlapHours
          label="Hours that the old key goes on"
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
            Make the new key
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
