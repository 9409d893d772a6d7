import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { Plan } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { isolate } from '../../ui/isolate';
import { featureChoices } from '../../ui/catalogue-choices';
import { SearchSelect, useChosenItem } from '../../ui/SearchSelect';
import { listError } from '../../ui/PercentsInput';
import { NEW_TERMS, TERM_RULES, toBody } from './entitlement-terms';
import { SubscribersNote } from './SubscribersNote';
import { TermFields } from './TermFields';

interface AddEntitlementProps {
  plan: Pick<Plan, 'id' | 'name'>;
  /** The feature chosen initially. */
  featureId?: string;
  onClose: () => void;
}

/** Adds a feature to a plan. It applies to subscribers from their next check. */
export function AddEntitlement({ plan, featureId: chosen = '', onClose }: AddEntitlementProps) {
  const { query } = useWorkspace();
  const choices = featureChoices(query);
  const [featureId, setFeatureId] = useState(chosen);
  const feature = useChosenItem(choices, featureId);
  const isMetered = feature?.kind !== 'boolean';
  const form = useForm({
    onValuesChange: (values) => setFeatureId(values.featureId),
    initialValues: { featureId: chosen, ...NEW_TERMS },
    validate: {
      featureId: (value) => (value === '' ? 'Choose the feature.' : null),
      // The terms of a boolean feature are neither shown nor sent.
      ...(isMetered && TERM_RULES),
    },
  });
  return (
    <FormDialog
      title={`What ${isolate(plan.name)} includes`}
      submit="Add to the plan"
      form={form}
      send={async ({ featureId: id, ...terms }) => {
        // A dialog may be submitted before the feature that it was opened with has been read.
        const { kind } = feature ?? (await choices.read(id)) ?? {};
        return bodyOf(
          api.POST('/api/plans/{id}/entitlements', {
            params: { query, path: { id: plan.id } },
            // The generated type requires members that have defaults in the API, and that it refuses for a boolean
            // feature.
            body: (kind === 'boolean'
              ? { featureId: id }
              : { featureId: id, creditCost: null, ...toBody(terms) }) as never,
          }),
        );
      }}
      refresh={[['entitlements']]}
      onClose={onClose}
    >
      <SearchSelect
        label="Feature"
        withAsterisk
        allowDeselect={false}
        choices={choices}
        nothingFoundMessage="There is no such feature: create it in the catalogue."
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
