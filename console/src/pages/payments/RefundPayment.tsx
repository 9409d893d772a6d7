import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { Intent, runCommand } from '../../api/commands';
import { ProblemError } from '../../api/problem';
import type { components } from '../../api/schema';
import { useWorkspace } from '../../app/workspace';
import { FormDialog } from '../../ui/FormDialog';
import { isolate } from '../../ui/isolate';
import { formatMoney, parseMoney, toDecimal } from '../../ui/money';
import { refundProblem } from './refund-problem';
import { sayRunning } from '../../ui/say-running';

interface RefundPaymentProps {
  payment: components['schemas']['Payment'];
  onClose: () => void;
}

/** Refunds a payment, fully or partly, up to the remaining amount. */
export function RefundPayment({ payment, onClose }: RefundPaymentProps) {
  const { query } = useWorkspace();
  const [intent] = useState(() => new Intent());
  const { provider, externalId } = payment;
  const [left, setLeft] = useState(payment.refundableAmount);
  const form = useForm({
    initialValues: { amount: { amount: toDecimal(left) }, reason: '' },
    validate: { amount: { amount: (value) => refundProblem(value, left) } },
  });
  const { money } = parseMoney(form.values.amount.amount, left.currency);
  return (
    <FormDialog
      title={`Refund a payment of ${isolate(externalId)}`}
      submit={money === undefined ? 'Refund' : `Refund ${formatMoney(money)}`}
      form={form}
      send={async ({ amount, reason }) => {
        const { money: refunded = left } = parseMoney(amount.amount, left.currency);
        const body = {
          paymentId: payment.id,
          amount: refunded,
          ...(reason.trim() !== '' && { reason: reason.trim() }),
        };
        const check = async () => {
          const params = { query, path: { id: payment.id } };
          const { refundableAmount } = await bodyOf(api.GET('/api/billing/payments/{id}', { params }));
          if (refundableAmount.amount !== left.amount) {
            setLeft(refundableAmount);
            throw refundableDiffers(refundableAmount);
          }
        };
        const result = await runCommand(
          query,
          intent,
          body,
          (key, sent, middleware) =>
            api.POST('/api/billing/refunds', {
              params: { query, header: { 'Idempotency-Key': key } },
              body: sent,
              middleware,
            }),
          check,
        );
        const refund = result.kind === 'done' ? (result.body as components['schemas']['Refund']) : null;
        if (refund?.status === 'failed') throw refundFailed(refund);
        return result;
      }}
      refresh={[['payments'], ['refunds']]}
      onClose={onClose}
      onAnswer={sayRunning}
    >
      <Text size="sm">
        {formatMoney(left)} can be refunded.{' '}
        {provider === 'internal'
          ? 'The refund is recorded here: send the money back yourself.'
          : 'The provider sends the money back. The subscription continues.'}
      </Text>
      <TextInput
        label={`Amount, ${left.currency}`}
        inputMode="decimal"
        withAsterisk
        data-autofocus
        {...form.getInputProps('amount.amount')}
      />
      <TextInput label="Reason" maxLength={500} {...form.getInputProps('reason')} />
    </FormDialog>
  );
}

/**
 * Returns the refusal for a refundable amount that has changed. Another operator may have made the same refund in the
 * meantime. Made twice, the customer would get the money twice.
 */
function refundableDiffers(left: components['schemas']['Money']): ProblemError {
  return new ProblemError({
    type: 'about:blank',
    title: 'Something else can be refunded now',
    status: 409,
    detail: `${formatMoney(left)} can be refunded: another refund was made meanwhile, or one was declined.`,
    code: 'refundable_amount_differs',
    fix: 'Check the refunds first. If this is another one, press the button again.',
    requestId: '',
  });
}

/** Returns the refusal for a refund that the provider did not make: the command has ended, with a failed refund. */
function refundFailed({ failure }: components['schemas']['Refund']): ProblemError {
  return new ProblemError({
    type: 'about:blank',
    title: 'The refund has failed',
    status: 409,
    detail: failure ?? 'The payment provider could not make it.',
    code: 'refund_failed',
    fix: 'No money was sent back. If the reason is gone, or for another amount, press the button again.',
    requestId: '',
  });
}
