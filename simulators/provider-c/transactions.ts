import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { newToken, type Account } from './account';
import { answer, Refusal, type Reply } from './answers';
import type { initializeParameters } from './parameters';
import { findPlan } from './plans';
import type { Authorization, Plan, Transaction } from './records';
import { settleLater } from './settlements';
import { sendCharge } from './webhooks';

/** @param pagesUrl address of the hosted pages */
export function initialize(
  account: Account,
  input: z.output<typeof initializeParameters>,
  pagesUrl: string,
): Reply {
  const plan = input.plan === undefined ? null : findPlan(account, input.plan);
  const transaction = openTransaction(account, {
    email: input.email,
    // A plan's amount and currency override those that were sent.
    amount: plan?.amount ?? input.amount,
    currency: plan?.currency ?? input.currency,
    reference: input.reference ?? newToken(),
    metadata: input.metadata,
    plan,
    invoiceLimit: input.invoice_limit ?? plan?.invoiceLimit ?? 0,
    callbackUrl: input.callback_url ?? null,
  });
  return answer('Authorization URL created', {
    authorization_url: `${pagesUrl}/${transaction.accessCode}`,
    access_code: transaction.accessCode,
    reference: transaction.reference,
  });
}

interface Opening {
  email: string;
  amount: number;
  currency: string;
  reference: string;
  metadata: unknown;
  plan: Plan | null;
  invoiceLimit: number;
  callbackUrl: string | null;
}

function openTransaction(account: Account, { email, ...opening }: Opening): Transaction {
  if (account.transactions.has(opening.reference)) {
    throw new Refusal(400, 'duplicate_reference', 'Duplicate Transaction Reference');
  }
  const transaction: Transaction = {
    ...opening,
    id: account.nextId(),
    accessCode: newToken(),
    status: 'abandoned',
    gatewayResponse: 'The transaction was not completed',
    customer: account.customerOf(email),
    authorization: null,
    fees: feesOf(opening.amount),
    createdAt: account.now,
    paidAt: null,
    isSettled: false,
  };
  account.transactions.set(opening.reference, transaction);
  return transaction;
}

export function findTransaction(account: Account, reference: string): Transaction {
  const found = account.transactions.get(reference);
  if (found !== undefined) return found;
  throw new Refusal(
    400,
    'transaction_not_found',
    'Transaction reference not found.',
    "Ensure that you're passing the reference of a transaction that exists on this integration",
  );
}

/** @param id the transaction's number, in digits */
export function findTransactionById(account: Account, id: string): Transaction {
  for (const transaction of account.transactions.values())
    if (String(transaction.id) === id) return transaction;
  throw new Refusal(404, 'transaction_not_found', 'Transaction ID or reference requested is not found');
}

/** Charges a saved card, without the customer. Null if the card declines; pending while its bank has not answered. */
export function chargeAuthorization(
  account: Account,
  charge: { email: string; plan: Plan; authorization: Authorization },
): Transaction | null {
  if (charge.authorization.declines) return null;
  const transaction = openTransaction(account, {
    email: charge.email,
    amount: charge.plan.amount,
    currency: charge.plan.currency,
    reference: randomUUID(),
    metadata: { invoice_action: 'update' },
    plan: charge.plan,
    invoiceLimit: 0,
    callbackUrl: null,
  });
  if (charge.authorization.isSlow === true) {
    Object.assign(transaction, { status: 'pending', gatewayResponse: 'Pending' });
    transaction.authorization = charge.authorization;
  } else succeed(account, transaction, charge.authorization);
  return transaction;
}

export function succeed(account: Account, transaction: Transaction, authorization: Authorization): void {
  transaction.status = 'success';
  transaction.gatewayResponse = 'Successful';
  transaction.authorization = authorization;
  transaction.paidAt = account.now;
  settleLater(account);
  sendCharge(account, transaction);
}

/** Returns the fee: 1.5 %, rounded up. */
function feesOf(amount: number): number {
  return Math.ceil((amount * 15) / 1000);
}
