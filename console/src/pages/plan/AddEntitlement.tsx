import { Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { Plan } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { isolate } from '../../ui/isolate';
import { listError } from '../../ui/PercentsInput';
import { NEW_TERMS, TERM_RULES, toBody } from './entitlement-terms';
import { SubscribersNote } from './SubscribersNote';
import { TermFields } from './TermFields';

interface AddEntitlementProps {
  plan: Pick<Plan, 'id' | 'name'>;
  /** The feature that is chosen at first. */
  featureId?: string;
  onClose: () => void;
}

/** A feature that a plan includes from now on. It applies to subscribers with their next check. */
export function AddEntitlement({ plan, featureId: chosen = '', onClose }: AddEntitlementProps) {
  const { query } = useWorkspace();
  const features = useQuery({
    queryKey: ['features', query, 'choice'],
    queryFn: () =>
      bodyOf(api.GET('/api/features', { params: { query: { ...query, archived: 'false', take: 200 } } })),
  });
  const isBoolean = (featureId: string) =>
    features.data?.data.find(({ id }) => id === featureId)?.kind === 'boolean';
  const form = useForm({
    initialValues: { featureId: chosen, ...NEW_TERMS },
    validate: {
      featureId: (value) => (value === '' ? 'Choose the feature.' : null),
      ...TERM_RULES,
      quota: (value, terms) => (isBoolean(terms.featureId) ? null : TERM_RULES.quota(value, terms)),
    },
  });
  const { featureId } = form.values;
  const isMetered = !isBoolean(featureId);
  return (
    <FormDialog
      title={`What ${isolate(plan.name)} includes`}
      submit="Add to the plan"
      form={form}
      send={({ featureId: id, ...terms }) =>
        bodyOf(
          api.POST('/api/plans/{id}/entitlements', {
            params: { query, path: { id: plan.id } },
            // The generated type demands what the API has defaults for, and refuses for a boolean feature.
            body: (isMetered
              ? { featureId: id, creditCost: null, ...toBody(terms) }
              : { featureId: id }) as never,
          }),
        )
      }
      refresh={[['entitlements']]}
      onClose={onClose}
    >
      <Select
        label="Feature"
        withAsterisk
        data={(features.data?.data ?? []).map(({ id, name, key }) => ({
          value: id,
          label: `${isolate(name)} (${key})`,
        }))}
        nothingFoundMessage="There is no feature yet: make one in the catalogue."
        data-autofocus
        {...form.getInputProps('featureId')}
      />
      {isMetered && (
        <TermFields
          terms={form.values}
          alertsError={listError(form, 'alertPercents')}
          field={form.getInputProps}
        />
      )}
      <SubscribersNote planId={plan.id}>
        It applies to them at once, from their next check or track.
      </SubscribersNote>
    </FormDialog>
  );
}
