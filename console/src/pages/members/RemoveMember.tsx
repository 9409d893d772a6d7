import { api, bodyOf } from '../../api/client';
import type { Member } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { isolate } from '../../ui/isolate';

interface RemoveMemberProps {
  member: Member;
  isSelf: boolean;
  onClose: () => void;
}

/** Ends a membership, one's own or another's. */
export function RemoveMember({ member, isSelf, onClose }: RemoveMemberProps) {
  const { organizationId } = useWorkspace();
  return (
    <ConfirmDialog
      title={isSelf ? 'Leave the organization' : `Remove ${isolate(member.name)}`}
      submit={isSelf ? 'Leave' : 'Remove'}
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
      onClose={onClose}
    >
      {isSelf
        ? 'You lose access to the organization with your next request.'
        : `${member.email} loses access with the next request, and all their sessions end. Keys and connections that they created keep working: review them afterwards.`}
    </ConfirmDialog>
  );
}
