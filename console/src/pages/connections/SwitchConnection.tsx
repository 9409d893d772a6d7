import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { Connection } from '../../api/resources';
import { DESTRUCTIVE } from '../../app/theme';
import { useWorkspace } from '../../app/workspace';
import { isolate } from '../../ui/isolate';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { refreshConnections } from './queries';
import { useConnectionRefusal } from './use-connection-refusal';
import { Dialog } from '../../ui/Dialog';

/** Disables a connection, or enables it again, after explaining the effect. */
export function SwitchConnection({ connection }: { connection: Connection }) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const refusal = useConnectionRefusal();
  const [isOpen, { open, close }] = useDisclosure(false);
  const isEnabled = connection.disabledAt === null;
  const params = { query, path: { id: connection.id } };
  const change = useMutation({
    mutationFn: async (disable: boolean) => {
      await (disable
        ? api.DELETE('/api/provider-connections/{id}', { params })
        : api.PATCH('/api/provider-connections/{id}', { params, body: { disabled: false } }));
    },
    onSuccess: async () => {
      close();
      await refreshConnections(queries);
    },
  });
  const verb = isEnabled ? 'Disable' : 'Enable';
  return (
    <>
      <ReasonedButton size="xs" variant="default" reason={refusal} onClick={open}>
        {verb}
      </ReasonedButton>
      <Dialog
        isBusy={change.isPending}
        opened={isOpen}
        onClose={close}
        title={`${verb} ${isolate(connection.displayName)}`}
      >
        <Stack>
          <Text size="sm">
            {isEnabled
              ? 'Its webhooks are refused, and nothing is sold, changed or read at the provider. Its subscriptions and payments are unchanged, and the provider keeps charging. It can be enabled again.'
              : 'Webhooks are accepted again, and its subscriptions are read at their next check. Test the connection afterwards.'}
          </Text>
          {change.isError && <ProblemPanel error={change.error} />}
          <Group justify="flex-end">
            <Button variant="default" disabled={change.isPending} onClick={close}>
              Leave it as it is
            </Button>
            <Button
              color={isEnabled ? DESTRUCTIVE : undefined}
              loading={change.isPending}
              onClick={() => change.mutate(isEnabled)}
            >
              {verb} the connection
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
