import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { api, bodyOf } from '../../api/client';
import type { Member } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { isolate } from '../../ui/isolate';

/** Ends a membership, one's own or another's. */
export function RemoveMember({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const { organizationId } = useWorkspace();
  const [isOpen, { open, close }] = useDisclosure(false);
  const verb = isSelf ? 'Leave' : 'Remove';
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={open}>
        {verb}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={isSelf ? 'Leave the organization' : `Remove ${isolate(member.name)}`}
          submit={verb}
          cancel="Cancel"
          isDestructive
          send={() =>
            bodyOf(
              api.DELETE('/api/organizations/{id}/members/{operatorId}', {
                params: { path: { id: organizationId, operatorId: member.id } },
              }),
            )
          }
          refresh={[isSelf ? ['session'] : ['members']]}
          onClose={close}
        >
          {isSelf
            ? 'You lose access to the organization with your next request.'
            : 'They lose access with their next request, and all their sessions end. Keys and connections that they created keep working: review them afterwards.'}
        </ConfirmDialog>
      )}
    </>
  );
}
