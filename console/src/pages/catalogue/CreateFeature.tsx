import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { required } from '../../ui/required';
import { featureKeyProblem } from '../../ui/text-problems';
import { MeteredFields } from './MeteredFields';

/** Creates a feature. */
export function CreateFeature({ onClose }: { onClose: () => void }) {
  const { query } = useWorkspace();
  const form = useForm({
    initialValues: {
      name: '',
      key: '',
      kind: 'metered' as 'metered' | 'boolean',
      unit: '',
      dimensions: [] as string[],
    },
    validate: {
      name: required,
      key: featureKeyProblem,
    },
  });
  return (
    <FormDialog
      title="New feature"
      submit="Create feature"
      form={form}
      send={({ name, key, kind, unit, dimensions }) =>
        bodyOf(
          api.POST('/api/features', {
            params: { query },
            body: {
              name,
              key: key.trim(),
              kind,
              // Nothing is counted of a boolean feature.
              ...(kind === 'metered' && { dimensions, ...(unit !== '' && { unit }) }),
            },
          }),
        )
      }
      refresh={[['features']]}
      onClose={onClose}
    >
      <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="Key"
        description="The feature in usage calls, such as ai_tokens. It cannot be changed later."
        withAsterisk
        {...form.getInputProps('key')}
      />
      <Select
        label="Kind"
        allowDeselect={false}
        data={[
          { value: 'metered', label: 'Metered: counted against a quota' },
          { value: 'boolean', label: 'Boolean: on or off' },
        ]}
        {...form.getInputProps('kind')}
      />
      {form.values.kind === 'metered' && <MeteredFields form={form} />}
    </FormDialog>
  );
}
