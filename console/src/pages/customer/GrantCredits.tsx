import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api } from '../../api/client';
import { Intent, runCommand } from '../../api/commands';
import type { Customer } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { isolate } from '../../ui/isolate';
import { localTimeProblem, toInstant } from '../../ui/local-time';
import { NumberField } from '../../ui/NumberField';
import { MAX_UNITS, numberProblem, type TypedNumber } from '../../ui/typed-number';

/** Grants a customer credits, which pay for units beyond a quota. */
export function GrantCredits({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const { query } = useWorkspace();
  const [intent] = useState(() => new Intent());
  const form = useForm({
    initialValues: { amount: '' as TypedNumber, reason: '', expiresAt: '' },
    validate: {
      expiresAt: (value) => (value === '' ? null : localTimeProblem(value)),
      amount: (value) =>
        value === '' || value === 0 ? 'Enter more than nothing.' : numberProblem(value, { max: MAX_UNITS }),
    },
  });
  return (
    <FormDialog
      title={`Grant credits to ${isolate(customer.externalId)}`}
      submit="Grant credits"
      form={form}
      send={({ amount, reason, expiresAt }) => {
        const body = {
          amount: Number(amount),
          ...(reason.trim() !== '' && { reason: reason.trim() }),
          ...(expiresAt !== '' && { expiresAt: toInstant(expiresAt) }),
        };
        return runCommand(query, intent, body, (key, sent) =>
          api.POST('/api/customers/{id}/credits', {
            params: { query, path: { id: customer.id }, header: { 'Idempotency-Key': key } },
            body: sent,
          }),
        );
      }}
      refresh={[['credits'], ['entitlements of']]}
      onClose={onClose}
    >
      <NumberField label="Credits" withAsterisk data-autofocus {...form.getInputProps('amount')} />
      <TextInput label="Reason" maxLength={500} {...form.getInputProps('reason')} />
      <TextInput
        type="datetime-local"
        label="End"
        description="In your time zone. Leave empty for no expiry."
        {...form.getInputProps('expiresAt')}
      />
    </FormDialog>
  );
}
