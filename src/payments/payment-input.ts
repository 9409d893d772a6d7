import { z } from 'zod';
import type { Instant } from '../domain/instant';
import type { Money } from '../domain/money';
import { identifier } from '../schemas/text';
import { createPaymentInput, type CreatePaymentInput } from './payment-resource';

/** A payment received for a transaction. */
export interface PaymentInput {
  transactionId: string;
  amount: Money;
  reference: string | null;
  /** The workspace's time; null means now. */
  receivedAt: Instant | null;
}

const { transactionId, ...ofAnyPayment } = createPaymentInput.shape;

/** A payment as sent in requests: for a transaction, or for a checkout with a one-time amount. */
export const recordPaymentInput = z
  .strictObject({
    transactionId: transactionId.optional(),
    checkoutId: identifier.optional().meta({
      description: 'A one-time checkout of local billing, instead of a transaction.',
    }),
    ...ofAnyPayment,
  })
  .refine((input) => (input.transactionId === undefined) !== (input.checkoutId === undefined), {
    path: ['transactionId'],
    error: 'or checkoutId: send one of the two to name what was paid',
    params: { fix: 'Send either transactionId or checkoutId.' },
  });

/** A payment as stored in an operation: JSON. */
const storedInput = z
  .object({
    transactionId: z.string(),
    amount: z.object({ amount: z.coerce.bigint(), currency: z.string() }),
    reference: z.string().nullable(),
    receivedAt: z.number().nullable(),
  })
  .transform((input): PaymentInput => input);

export function toPaymentInput(input: CreatePaymentInput): PaymentInput {
  const { transactionId: id, amount, reference, receivedAt } = input;
  return { transactionId: id, amount, reference: reference ?? null, receivedAt: receivedAt ?? null };
}

export function toStoredInput(input: PaymentInput): Record<string, unknown> {
  const { amount, currency } = input.amount;
  return { ...input, amount: { amount: amount.toString(), currency } };
}

/** Reads the payment that an operation asks to record. */
export function fromStoredInput(input: Record<string, unknown>): PaymentInput {
  return storedInput.parse(input);
}
