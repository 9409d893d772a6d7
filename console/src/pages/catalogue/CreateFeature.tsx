import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { required } from '../../ui/required';
import { DimensionsInput } from './DimensionsInput';

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
      key: required,
    },
  });
  return (
    <FormDialog
      title="New feature"
      submit="Create feature"
      form={form}
      send={({ unit, dimensions, ...feature }) =>
        bodyOf(
          api.POST('/api/features', {
            params: { query },
            body: {
              ...feature,
              ...(unit !== '' && { unit }),
              ...(feature.kind === 'metered' && { dimensions }),
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
      <TextInput
        label="Unit"
        description="What is counted, for people."
        placeholder="token"
        {...form.getInputProps('unit')}
      />
      {form.values.kind === 'metered' && <DimensionsInput {...form.getInputProps('dimensions')} />}
    </FormDialog>
  );
}
