import { z } from 'zod';
import type { Instant } from '../domain/instant';
import type { Money } from '../domain/money';
import type { CreatePaymentInput } from './payment-resource';

/** Money that has come in for a transaction. */
export interface PaymentInput {
  transactionId: string;
  amount: Money;
  reference: string | null;
  /** By the workspace's time; now, where it is null. */
  receivedAt: Instant | null;
}

/** A payment as it waits in an operation: JSON. */
const storedInput = z
  .object({
    transactionId: z.string(),
    amount: z.object({ amount: z.coerce.bigint(), currency: z.string() }),
    reference: z.string().nullable(),
    receivedAt: z.number().nullable(),
  })
  .transform((input): PaymentInput => input);

export function toPaymentInput(input: CreatePaymentInput): PaymentInput {
  const { transactionId, amount, reference, receivedAt } = input;
  return { transactionId, amount, reference: reference ?? null, receivedAt: receivedAt ?? null };
}

export function toStoredInput(input: PaymentInput): Record<string, unknown> {
  const { amount, currency } = input.amount;
  return { ...input, amount: { amount: amount.toString(), currency } };
}

/** What an operation asks to record. */
export function fromStoredInput(input: Record<string, unknown>): PaymentInput {
  return storedInput.parse(input);
}
