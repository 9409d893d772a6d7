import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api } from '../../api/client';
import { Intent, runCommand } from '../../api/commands';
import type { components } from '../../api/schema';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { formatMoney, parseMoney, toDecimal } from '../../ui/money';
import { sayRunning } from './say-running';

interface RecordPaymentProps {
  transaction: components['schemas']['Transaction'];
  onClose: () => void;
}

/** Money that came in for a transaction of local billing, for example by bank transfer. */
export function RecordPayment({ transaction, onClose }: RecordPaymentProps) {
  const { query } = useWorkspace();
  const [intent] = useState(() => new Intent());
  const { amountOpen, currency } = transaction;
  const form = useForm({
    initialValues: { amount: { amount: toDecimal(amountOpen) }, reference: '' },
    validate: { amount: { amount: (value) => parseMoney(value, currency).problem } },
  });
  const { money } = parseMoney(form.values.amount.amount, currency);
  return (
    <FormDialog
      title="Record a payment"
      submit={money === undefined ? 'Record the payment' : `Record ${formatMoney(money)}`}
      form={form}
      send={({ amount, reference }) => {
        const { money: paid = amountOpen } = parseMoney(amount.amount, currency);
        const body = {
          transactionId: transaction.id,
          amount: paid,
          ...(reference.trim() !== '' && { reference: reference.trim() }),
        };
        return runCommand(query, intent, body, (key, sent) =>
          api.POST('/api/billing/payments', {
            params: { query, header: { 'Idempotency-Key': key } },
            body: sent,
          }),
        );
      }}
      refresh={[['transactions'], ['payments'], ['subscriptions']]}
      onClose={onClose}
      onDone={sayRunning}
    >
      <Text size="sm">
        {formatMoney(amountOpen)} is open. What is paid beyond it is kept as not applied, and can be refunded.
      </Text>
      <TextInput
        label={`Amount, ${currency}`}
        inputMode="decimal"
        withAsterisk
        data-autofocus
        {...form.getInputProps('amount.amount')}
      />
      <TextInput
        label="Reference"
        description="What the payment is known by elsewhere, such as the number of a bank transfer."
        maxLength={200}
        {...form.getInputProps('reference')}
      />
    </FormDialog>
  );
}
