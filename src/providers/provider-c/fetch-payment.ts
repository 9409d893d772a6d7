import type { z } from 'zod';
import type { PaymentFacts, ReferenceKind } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { readOutcome, type Fetched } from './client';
import { paymentFacts } from './payment-facts';
import { purchaseAnswer, transactionAnswer, type PurchaseData, type TransactionData } from './schemas';

const TRANSACTION_ID = /^\d{1,16}$/;

/**
 * Fetches a payment by the reference it was started under (`payment`, or `checkout`, whose reference is the same), or
 * by the provider's own number (`charge`).
 */
export async function fetchPayment(
  access: ConnectionAccess,
  kind: ReferenceKind,
  reference: string,
): Promise<Outcome<PaymentFacts>> {
  if (kind !== 'payment' && kind !== 'checkout' && kind !== 'charge') {
    return { kind: 'unsupported', reason: `Provider C finds no payment by a reference of the kind ${kind}.` };
  }
  const answer =
    kind === 'charge' ? await readCharge(access, reference) : await readTransaction(access, reference);
  return answer.kind === 'done' ? paymentFacts(answer.value) : answer;
}

export function readTransaction(
  access: ConnectionAccess,
  reference: string,
): Promise<Fetched<TransactionData>> {
  return verify(access, reference, transactionAnswer);
}

/** Reads a transaction like `readTransaction`, with the customer, the plan and the payment method. */
export function readPurchase(access: ConnectionAccess, reference: string): Promise<Fetched<PurchaseData>> {
  return verify(access, reference, purchaseAnswer);
}

async function verify<T extends { reference: string }>(
  access: ConnectionAccess,
  reference: string,
  schema: z.ZodType<{ data: T }>,
): Promise<Fetched<T>> {
  const path = `/transaction/verify/${encodeURIComponent(reference)}`;
  const answer = await readOutcome(access, path, schema);
  if (answer.kind !== 'done') return answer;
  const { data } = answer.value;
  if (data.reference !== reference) {
    return { kind: 'unknown', reason: `Provider C answered with another transaction than ${reference}.` };
  }
  return { kind: 'done', value: data };
}

/** @param id the provider's number of the transaction, in digits */
export async function readCharge(access: ConnectionAccess, id: string): Promise<Fetched<TransactionData>> {
  if (!TRANSACTION_ID.test(id)) {
    return { kind: 'declined', code: 'not_found', reason: 'A charge of provider C is named by a number.' };
  }
  const answer = await readOutcome(access, `/transaction/${id}`, transactionAnswer);
  if (answer.kind !== 'done') return answer;
  const { data } = answer.value;
  if (String(data.id) !== id) {
    return { kind: 'unknown', reason: `Provider C answered with another transaction than ${id}.` };
  }
  return { kind: 'done', value: data };
}
