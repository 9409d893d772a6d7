import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, bodyOf } from '../../api/client';
import type { Feature } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { changedMembers } from '../../ui/changed';
import { FormDialog } from '../../ui/FormDialog';
import { isolate } from '../../ui/isolate';
import { required } from '../../ui/required';
import { MeteredFields } from './MeteredFields';

/**
 * Edits the name, the unit and the dimensions of a feature. Its key and kind cannot change, because usage calls refer
 * to it.
 */
export function EditFeature({ feature, onClose }: { feature: Feature; onClose: () => void }) {
  const { query } = useWorkspace();
  const form = useForm({
    initialValues: { name: feature.name, unit: feature.unit ?? '', dimensions: feature.dimensions },
    validate: { name: required },
  });
  return (
    <FormDialog
      title={`Edit the feature ${isolate(feature.name)}`}
      submit="Save feature"
      form={form}
      send={(values) => {
        const { unit, ...changed } = changedMembers(form.getInitialValues(), values);
        const body = { ...changed, ...(unit !== undefined && { unit: unit.trim() === '' ? null : unit }) };
        return bodyOf(api.PATCH('/api/features/{id}', { params: { query, path: { id: feature.id } }, body }));
      }}
      refresh={[['features'], ['entitlements']]}
      onClose={onClose}
    >
      <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps('name')} />
      {feature.kind === 'metered' && <MeteredFields form={form} />}
    </FormDialog>
  );
}
