import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { components } from '../../api/schema';
import { useWorkspace } from '../../app/workspace';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { Dialog } from '../../ui/Dialog';

interface RevokeApiKeyProps {
  apiKey: components['schemas']['ApiKey'];
  /** Why the operator may not; null where they may. */
  refusal: string | null;
}

/** Ends a key, after its name was typed. */
export function RevokeApiKey({ apiKey, refusal }: RevokeApiKeyProps) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [typed, setTyped] = useState('');
  const revoke = useMutation({
    mutationFn: () => api.POST('/api/api-keys/{id}/revoke', { params: { query, path: { id: apiKey.id } } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['api-keys'] });
      close();
    },
  });
  if (refusal !== null) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={open}>
        Revoke
      </Button>
      <Dialog isBusy={revoke.isPending} opened={isOpen} onClose={close} title={`Revoke ${apiKey.name}`}>
        <Stack>
          <Text size="sm">
            Whoever sends this key is refused within five seconds, and it never works again.
          </Text>
          <TextInput
            label={`Type ${apiKey.name} to confirm`}
            value={typed}
            data-autofocus
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {revoke.isError && <ProblemPanel error={revoke.error} />}
          <Group justify="flex-end">
            <Button variant="default" disabled={revoke.isPending} onClick={close}>
              Leave it
            </Button>
            <Button
              color="red"
              disabled={typed !== apiKey.name}
              loading={revoke.isPending}
              onClick={() => revoke.mutate()}
            >
              Revoke the key
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
