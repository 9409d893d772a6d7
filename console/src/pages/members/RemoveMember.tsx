import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { components } from '../../api/schema';
import { useWorkspace } from '../../app/workspace';
import { isolate } from '../../ui/isolate';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { Dialog } from '../../ui/Dialog';

interface RemoveMemberProps {
  member: components['schemas']['Member'];
  isSelf: boolean;
  /** Why the operator may remove nobody else; null where they may. */
  refusal: string | null;
}

/** Ends a membership, one's own or another's. */
export function RemoveMember({ member, isSelf, refusal }: RemoveMemberProps) {
  const { organizationId } = useWorkspace();
  const queries = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure(false);
  const remove = useMutation({
    mutationFn: () =>
      bodyOf(
        api.DELETE('/api/organizations/{id}/members/{operatorId}', {
          params: { path: { id: organizationId, operatorId: member.id } },
        }),
      ),
    onSuccess: async () => {
      close();
      await queries.invalidateQueries({ queryKey: isSelf ? ['session'] : ['members'] });
    },
  });
  if (refusal !== null && !isSelf) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={open}>
        {isSelf ? 'Leave' : 'Remove'}
      </Button>
      <Dialog
        isBusy={remove.isPending}
        opened={isOpen}
        onClose={close}
        title={isSelf ? 'Leave the organization' : `Remove ${isolate(member.name)}`}
      >
        <Stack>
          <Text size="sm">
            {isSelf
              ? 'You lose access to the organization with your next request.'
              : 'They lose access with their next request, and all their sessions end. Keys and connections that they made go on: look at them afterwards.'}
          </Text>
          {remove.isError && <ProblemPanel error={remove.error} />}
          <Group justify="flex-end">
            <Button variant="default" disabled={remove.isPending} onClick={close}>
              Cancel
            </Button>
            <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
              {isSelf ? 'Leave' : 'Remove'}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
