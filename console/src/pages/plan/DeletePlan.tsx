import { api } from '../../api/client';
import type { Plan } from '../../api/resources';
import { useLeaveDeleted } from '../../app/use-leave-deleted';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { isolate } from '../../ui/isolate';

/** Deletes a plan that never had a subscription, after a confirmation. */
export function DeletePlan({ plan: { id, name }, onClose }: { plan: Plan; onClose: () => void }) {
  const { query } = useWorkspace();
  const leaveDeleted = useLeaveDeleted('/catalogue');
  return (
    <ConfirmDialog
      title={`Delete the plan ${isolate(name)}`}
      submit="Delete the plan"
      isDestructive
      send={() => leaveDeleted(() => api.DELETE('/api/plans/{id}', { params: { query, path: { id } } }))}
      refresh={[['plans'], ['plan-groups'], ['setup']]}
      onClose={onClose}
    >
      Its entitlements are deleted, too. This cannot be undone. Only a plan that never had a subscription, and
      to which none may change, can be deleted; archive any other.
    </ConfirmDialog>
  );
}
