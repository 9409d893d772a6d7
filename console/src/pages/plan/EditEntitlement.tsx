import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, bodyOf } from '../../api/client';
import type { Plan, PlanEntitlement } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { changedMembers } from '../../ui/changed';
import { FormDialog } from '../../ui/FormDialog';
import { isolate } from '../../ui/isolate';
import { listError } from '../../ui/PercentsInput';
import { TERM_RULES, termsOf, toBody } from './entitlement-terms';
import { SubscribersNote } from './SubscribersNote';
import { TermFields } from './TermFields';

interface EditEntitlementProps {
  plan: Pick<Plan, 'id' | 'name'>;
  entitlement: PlanEntitlement;
  onRemove: () => void;
  onClose: () => void;
}

/** Changes the terms of a metered feature in a plan, or removes it. The cost in credits stays unchanged. */
export function EditEntitlement({ plan, entitlement, onRemove, onClose }: EditEntitlementProps) {
  const { query } = useWorkspace();
  const form = useForm({ initialValues: termsOf(entitlement), validate: TERM_RULES });
  return (
    <FormDialog
      title={`${isolate(entitlement.feature.name)} in ${isolate(plan.name)}`}
      submit="Save entitlement"
      form={form}
      send={(terms) =>
        bodyOf(
          api.PATCH('/api/plans/{id}/entitlements/{entitlementId}', {
            params: { query, path: { id: plan.id, entitlementId: entitlement.id } },
            body: changedMembers(toBody(form.getInitialValues()), toBody(terms)),
          }),
        )
      }
      refresh={[['entitlements']]}
      onClose={onClose}
    >
      <TermFields
        terms={form.values}
        alertsError={listError(form, 'alertPercents')}
        field={form.getInputProps}
      />
      <SubscribersNote planId={plan.id}>
        It applies to them at once, from their next check or track.
      </SubscribersNote>
      <Button variant="subtle" color="red" c="var(--mantine-color-error)" onClick={onRemove}>
        Remove from the plan
      </Button>
    </FormDialog>
  );
}
