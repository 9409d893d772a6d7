import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, bodyOf } from '../../api/client';
import type { Feature } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { isolate } from '../../ui/isolate';
import { changesToSend } from '../../ui/merge-lists';
import { required } from '../../ui/required';
import { MeteredFields } from './MeteredFields';

/**
 * Edits the name, the unit and the dimensions of a feature. Its key and kind cannot change, because usage calls refer
 * to it. Dimensions that others add meanwhile stay.
 */
export function EditFeature({ feature, onClose }: { feature: Feature; onClose: () => void }) {
  const { query } = useWorkspace();
  const form = useForm({
    initialValues: valuesOf(feature),
    validate: { name: required },
  });
  return (
    <FormDialog
      title={`Edit the feature ${isolate(feature.name)}`}
      submit="Save feature"
      form={form}
      send={async (values) => {
        const params = { query, path: { id: feature.id } };
        const { unit, ...changed } = await changesToSend(form.getInitialValues(), values, async () =>
          valuesOf(await bodyOf(api.GET('/api/features/{id}', { params }))),
        );
        const body = { ...changed, ...(unit !== undefined && { unit: unit.trim() === '' ? null : unit }) };
        return bodyOf(api.PATCH('/api/features/{id}', { params, body }));
      }}
      refresh={[['features'], ['entitlements']]}
      onClose={onClose}
    >
      <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps('name')} />
      {feature.kind === 'metered' && <MeteredFields form={form} />}
    </FormDialog>
  );
}

function valuesOf({ name, unit, dimensions }: Feature) {
  return { name, unit: unit ?? '', dimensions };
}
