import { api, bodyOf } from '../../api/client';
import type { Member, Role } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';

interface ChangeOwnRoleProps {
  member: Member;
  role: Role;
  onClose: () => void;
}

/** Gives up the operator's own role for a lower one, after a confirmation. */
export function ChangeOwnRole({ member, role, onClose }: ChangeOwnRoleProps) {
  const { organizationId } = useWorkspace();
  return (
    <ConfirmDialog
      title={`Change your own role to ${role}`}
      submit={`Become ${role}`}
      cancel={`Stay ${member.role}`}
      isDestructive
      send={() =>
        bodyOf(
          api.PATCH('/api/organizations/{id}/members/{operatorId}', {
            params: { path: { id: organizationId, operatorId: member.id } },
            body: { role },
          }),
        )
      }
      refresh={[['members'], ['session']]}
      onClose={onClose}
    >
      You lose the further rights of the role {member.role} immediately. Only another member who has them can
      give them back.
    </ConfirmDialog>
  );
}
