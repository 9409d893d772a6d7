import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api } from '../../api/client';
import { Intent, runCommand } from '../../api/commands';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { localTimeProblem, toInstant } from '../../ui/local-time';
import { currencyProblem } from '../../ui/money';

/** Settles what local billing received in a period. */
export function CreateSettlement({ onClose }: { onClose: () => void }) {
  const { query } = useWorkspace();
  const [intent] = useState(() => new Intent());
  const form = useForm({
    initialValues: { periodStart: '', periodEnd: '', currency: '' },
    validate: {
      periodStart: (value) => (value === '' ? 'Choose when it begins.' : localTimeProblem(value)),
      periodEnd: (value, { periodStart }) =>
        value === ''
          ? 'Choose when it ends.'
          : (localTimeProblem(value) ?? (value <= periodStart ? 'Choose a time after the beginning.' : null)),
      currency: (value) => (value.trim() === '' ? null : currencyProblem(codeOf(value))),
    },
  });
  return (
    <FormDialog
      title="New settlement"
      submit="Settle"
      form={form}
      send={({ periodStart, periodEnd, currency }) => {
        const body = {
          periodStart: toInstant(periodStart),
          periodEnd: toInstant(periodEnd),
          ...(currency.trim() !== '' && { currency: codeOf(currency) }),
        };
        return runCommand(query, intent, body, (key, sent) =>
          api.POST('/api/billing/settlements', {
            params: { query, header: { 'Idempotency-Key': key } },
            body: sent,
          }),
        );
      }}
      refresh={[['settlements'], ['payments']]}
      onClose={onClose}
    >
      <Text size="sm">
        Settles the payments that local billing has recorded in a period. Providers’ payouts are collected.
      </Text>
      <TextInput
        type="datetime-local"
        label="From"
        description="In your time zone."
        withAsterisk
        data-autofocus
        {...form.getInputProps('periodStart')}
      />
      <TextInput
        type="datetime-local"
        label="To"
        description="In your time zone."
        withAsterisk
        {...form.getInputProps('periodEnd')}
      />
      <TextInput
        label="Currency"
        description="The workspace’s currency if left empty."
        maxLength={3}
        {...form.getInputProps('currency')}
      />
    </FormDialog>
  );
}

function codeOf(typed: string): string {
  return typed.trim().toUpperCase();
}
