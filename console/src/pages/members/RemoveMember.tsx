import { useRef, useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { AccessGrant, Member } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { isolate } from '../../ui/isolate';
import { LeftAccess } from './LeftAccess';

interface RemoveMemberProps {
  member: Member;
  isSelf: boolean;
  onClose: () => void;
}

/** Ends a membership, one's own or another's. Of another, it shows what keeps working. */
export function RemoveMember({ member, isSelf, onClose }: RemoveMemberProps) {
  const { organizationId } = useWorkspace();
  const answered = useRef<AccessGrant[]>([]);
  const [left, setLeft] = useState<AccessGrant[]>();
  if (left !== undefined) return <LeftAccess member={member} grants={left} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={isSelf ? 'Leave the organization' : `Remove ${isolate(member.name)}`}
      submit={isSelf ? 'Leave' : 'Remove'}
      cancel="Cancel"
      isDestructive
      send={async () => {
        const { review } = await bodyOf(
          api.DELETE('/api/organizations/{id}/members/{operatorId}', {
            params: { path: { id: organizationId, operatorId: member.id } },
          }),
        );
        answered.current = isSelf ? [] : review;
      }}
      refresh={isSelf ? [['session']] : [['members'], ['invitations'], ['access-review']]}
      onClose={onClose}
      onDone={() => {
        if (answered.current.length === 0) onClose();
        else setLeft(answered.current);
      }}
    >
      {isSelf
        ? 'You lose access to the organization with your next request.'
        : `${member.email} loses access with the next request, and all their sessions end. Keys, connections and webhook endpoints that they made keep working: they are listed afterwards for review.`}
    </ConfirmDialog>
  );
}
