import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { Intent, runCommand } from '../../api/commands';
import type { components } from '../../api/schema';
import { ProblemError } from '../../api/problem';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { formatMoney, parseMoney, toDecimal } from '../../ui/money';
import { sayRunning } from '../../ui/say-running';

interface RecordPaymentProps {
  transaction: components['schemas']['Transaction'];
  onClose: () => void;
}

/** Records a payment for a transaction of local billing, for example by bank transfer. */
export function RecordPayment({ transaction, onClose }: RecordPaymentProps) {
  const { query } = useWorkspace();
  const [intent] = useState(() => new Intent());
  const { currency } = transaction;
  const [amountOpen, setAmountOpen] = useState(transaction.amountOpen);
  const form = useForm({
    initialValues: { amount: { amount: toDecimal(amountOpen) }, reference: '' },
    validate: { amount: { amount: (value) => paymentProblem(value, currency) } },
  });
  const { money } = parseMoney(form.values.amount.amount, currency);
  return (
    <FormDialog
      title="Record a payment"
      submit={money === undefined ? 'Record the payment' : `Record ${formatMoney(money)}`}
      form={form}
      send={async ({ amount, reference }) => {
        const { money: paid = amountOpen } = parseMoney(amount.amount, currency);
        const body = {
          transactionId: transaction.id,
          amount: paid,
          ...(reference.trim() !== '' && { reference: reference.trim() }),
        };
        const check = async () => {
          const params = { query, path: { id: transaction.id } };
          const now = await bodyOf(api.GET('/api/billing/transactions/{id}', { params }));
          if (now.amountOpen.amount !== amountOpen.amount) {
            setAmountOpen(now.amountOpen);
            throw openDiffers(now.amountOpen);
          }
        };
        return runCommand(
          query,
          intent,
          body,
          (key, sent, middleware) =>
            api.POST('/api/billing/payments', {
              params: { query, header: { 'Idempotency-Key': key } },
              body: sent,
              middleware,
            }),
          check,
        );
      }}
      refresh={[['transactions'], ['payments'], ['subscriptions']]}
      onClose={onClose}
      onAnswer={sayRunning}
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
        description="Your reference for the payment, such as the number of a bank transfer."
        maxLength={200}
        {...form.getInputProps('reference')}
      />
    </FormDialog>
  );
}

/** Returns what is wrong with an amount that was paid; null if it is valid. It may be more than is open. */
function paymentProblem(typed: string, currency: string): string | null {
  const { money, problem } = parseMoney(typed, currency);
  if (problem !== null) return problem;
  return money.amount === '0' ? 'Enter more than nothing.' : null;
}

/**
 * Returns the refusal for an open amount that has changed. Another operator may have recorded the same payment in the
 * meantime. Recorded twice, it would have to be paid back.
 */
function openDiffers(amountOpen: components['schemas']['Money']): ProblemError {
  return new ProblemError({
    type: 'about:blank',
    title: 'Something else is open now',
    status: 409,
    detail: `${formatMoney(amountOpen)} is open: another payment was recorded meanwhile, or the transaction was voided.`,
    code: 'amount_open_differs',
    fix: 'Check the payments first. If this is another one, record it anyway.',
    requestId: '',
  });
}
