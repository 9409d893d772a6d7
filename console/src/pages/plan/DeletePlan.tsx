import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client';
import type { Plan } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { isolate } from '../../ui/isolate';

/** Deletes a plan that never had a subscription, after a confirmation. */
export function DeletePlan({ plan: { id, name }, onClose }: { plan: Plan; onClose: () => void }) {
  const { base, query } = useWorkspace();
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title={`Delete the plan ${isolate(name)}`}
      submit="Delete the plan"
      isDestructive
      send={async () => {
        const { pathname } = window.location;
        await api.DELETE('/api/plans/{id}', { params: { query, path: { id } } });
        // The user may have left this page in the meantime.
        if (window.location.pathname !== pathname) return;
        // Before the lists are refreshed, or this page would request the deleted plan. Replaced, because Back would lead
        // to it.
        await navigate({ to: `${base}/catalogue`, replace: true, ignoreBlocker: true });
      }}
      refresh={[['plans'], ['plan-groups'], ['setup']]}
      onClose={onClose}
    >
      Its entitlements are deleted, too. This cannot be undone. Only a plan that never had a subscription, and
      to which none may change, can be deleted; archive any other.
    </ConfirmDialog>
  );
}
