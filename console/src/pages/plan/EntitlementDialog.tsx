import { useState } from 'react';
import { api } from '../../api/client';
import type { Plan, PlanEntitlement } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { isolate } from '../../ui/isolate';
import { EditEntitlement } from './EditEntitlement';
import { SubscribersNote } from './SubscribersNote';

interface EntitlementDialogProps {
  plan: Pick<Plan, 'id' | 'name'>;
  entitlement: PlanEntitlement;
  onClose: () => void;
}

/** Edits or removes an entitlement. A boolean feature has no terms, so it can only be removed. */
export function EntitlementDialog({ plan, entitlement, onClose }: EntitlementDialogProps) {
  const { query } = useWorkspace();
  const { id: entitlementId, feature } = entitlement;
  const hasTerms = feature.kind !== 'boolean';
  const [isRemoving, setRemoving] = useState(!hasTerms);
  const path = { id: plan.id, entitlementId };
  return (
    <>
      {hasTerms && (
        <EditEntitlement
          plan={plan}
          entitlement={entitlement}
          onRemove={() => setRemoving(true)}
          onClose={onClose}
        />
      )}
      {/* Above the terms, which keep what is typed if it is left. */}
      {isRemoving && (
        <ConfirmDialog
          title={`Remove ${isolate(feature.name)} from ${isolate(plan.name)}`}
          submit="Remove from the plan"
          isDestructive
          send={() => api.DELETE('/api/plans/{id}/entitlements/{entitlementId}', { params: { query, path } })}
          refresh={[['entitlements']]}
          onDone={onClose}
          onClose={hasTerms ? () => setRemoving(false) : onClose}
        >
          Checks of the feature are denied to the plan’s subscribers at once. Recorded usage stays.
          <SubscribersNote planId={plan.id}>
            They lose the feature with their next check or track.
          </SubscribersNote>
        </ConfirmDialog>
      )}
    </>
  );
}
