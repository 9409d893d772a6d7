import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, bodyOf } from '../../api/client';
import { readMatching } from '../../api/read-all';
import type { Plan, PlanEntitlement } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { isolate } from '../../ui/isolate';
import { changesToSend } from '../../ui/merge-lists';
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

/**
 * Changes the terms of a metered feature in a plan, or removes it. The cost in credits stays unchanged, and so do
 * alerts that others add meanwhile.
 */
export function EditEntitlement({ plan, entitlement, onRemove, onClose }: EditEntitlementProps) {
  const { query } = useWorkspace();
  const form = useForm({ initialValues: termsOf(entitlement), validate: TERM_RULES });
  const readNow = async () => {
    const path = { id: plan.id };
    const [now = entitlement] = await readMatching(
      (cursor) => {
        const params = { path, query: { ...query, take: 200, ...(cursor && { cursor }) } };
        return bodyOf(api.GET('/api/plans/{id}/entitlements', { params }));
      },
      ({ id }) => id === entitlement.id,
      1,
    );
    return toBody(termsOf(now));
  };
  return (
    <FormDialog
      title={`${isolate(entitlement.feature.name)} in ${isolate(plan.name)}`}
      submit="Save entitlement"
      form={form}
      send={async (terms) => {
        const body = await changesToSend(toBody(form.getInitialValues()), toBody(terms), readNow);
        const params = { query, path: { id: plan.id, entitlementId: entitlement.id } };
        return bodyOf(api.PATCH('/api/plans/{id}/entitlements/{entitlementId}', { params, body }));
      }}
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
