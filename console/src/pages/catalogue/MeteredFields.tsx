import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { listError } from '../../ui/PercentsInput';
import { DimensionsInput } from './DimensionsInput';

/** The fields of a metered feature: its unit and its dimensions. Nothing is counted of a boolean one. */
export function MeteredFields({
  form,
}: {
  form: Pick<UseFormReturnType<{ unit: string; dimensions: string[] }>, 'getInputProps' | 'errors'>;
}) {
  return (
    <>
      <TextInput
        label="Unit"
        description="What is counted, for people."
        placeholder="token"
        {...form.getInputProps('unit')}
      />
      <DimensionsInput {...form.getInputProps('dimensions')} error={listError(form, 'dimensions')} />
    </>
  );
}
