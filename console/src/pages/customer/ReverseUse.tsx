import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api } from '../../api/client';
import { Intent, runCommand } from '../../api/commands';
import type { UsageEvent } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { NumberField } from '../../ui/NumberField';
import { formatQuantity } from '../../ui/quantity';
import { numberProblem, type TypedNumber } from '../../ui/typed-number';
import { required } from '../../ui/required';

/** Reverses a recorded use, or a part of it, once. */
export function ReverseUse({ use, onClose }: { use: UsageEvent; onClose: () => void }) {
  const { query } = useWorkspace();
  const [intent] = useState(() => new Intent());
  const form = useForm({
    initialValues: { reason: '', quantity: '' as TypedNumber },
    validate: {
      reason: required,
      quantity: (value) =>
        value === 0
          ? 'Enter more than nothing.'
          : numberProblem(value, { max: use.quantity, optional: true }),
    },
  });
  return (
    <FormDialog
      title={`Reverse a use of ${use.feature}`}
      submit="Reverse"
      form={form}
      send={({ reason, quantity }) =>
        runCommand(
          query,
          intent,
          { reason: reason.trim(), ...(quantity !== '' && { quantity: Number(quantity) }) },
          (key, body) =>
            api.POST('/api/billing/usage/events/{id}/reverse', {
              params: { query, path: { id: use.id }, header: { 'Idempotency-Key': key } },
              body,
            }),
        )
      }
      refresh={[['usage'], ['entitlements of'], ['credits'], ['events']]}
      onClose={onClose}
    >
      <Text size="sm">
        The units are returned to the same usage period and the same credits. The event stays in the list,
        marked as reversed. This can be done once.
      </Text>
      <TextInput
        label="Reason"
        maxLength={500}
        withAsterisk
        data-autofocus
        {...form.getInputProps('reason')}
      />
      <NumberField
        label="Units"
        description={`Left empty, all ${formatQuantity(use.quantity)}.`}
        {...form.getInputProps('quantity')}
      />
    </FormDialog>
  );
}
