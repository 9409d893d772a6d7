import type { z } from 'zod';
import { namedCall } from '../core/named-call';
import type { Account } from './account';
import { answer, Refusal, type Reply } from './answers';
import type { refundParameters } from './parameters';
import type { Refund, Transaction } from './records';
import { iso, refundAnswer, transactionAnswer } from './views';
import { sendRefund } from './webhooks';

const PROCESSING_AFTER_MS = 5_000;
const END_AFTER_MS = 10_000;
const FIRST_BANK_REFERENCE = 132_000_000_000;

const processLater = namedCall('c.process_refund', (account: Account, refund: Refund) => {
  moveTo(account, refund, 'processing');
});
const endLater = namedCall('c.end_refund', (account: Account, refund: Refund) => {
  moveTo(account, refund, account.refundsEnd);
});

/** Creates a refund. Not idempotent: equal requests are separate refunds, as long as enough of the payment remains. */
export function createRefund(account: Account, input: z.output<typeof refundParameters>): Reply {
  const transaction = findByEither(account, input.transaction);
  if (transaction.status !== 'success') {
    throw new Refusal(
      400,
      'transaction_not_refundable',
      'Transaction has been fully reversed or was not successful',
    );
  }
  if (input.currency !== undefined && input.currency !== transaction.currency) {
    throw new Refusal(400, 'invalid_params', 'Currency does not match that of the transaction');
  }
  const left = transaction.amount - refundedOf(account, transaction, isNotFailed);
  const amount = input.amount ?? left;
  if (amount > left || left === 0) {
    throw new Refusal(
      400,
      'invalid_amount',
      'Refund amount cannot be more than the amount left of the transaction',
    );
  }
  const refund = addRefund(account, transaction, amount, input);
  moveTo(account, refund, 'pending');
  const { clock } = account.core;
  clock.at(account.now + PROCESSING_AFTER_MS, processLater(account, refund));
  clock.at(account.now + END_AFTER_MS, endLater(account, refund));
  return answer('Refund has been queued for processing', {
    ...refundAnswer(account, refund),
    transaction: transactionAnswer(account, transaction),
    deducted_amount: 0,
    fully_deducted: false,
    channel: null,
    expected_at: iso(account.now + END_AFTER_MS),
  });
}

/** Continues a refund once its merchant has entered the bank details of the customer. @param id in digits */
export function retryRefund(account: Account, id: string): Reply {
  const refund = findRefund(account, id);
  if (refund.status !== 'needs-attention') {
    throw new Refusal(
      422,
      'invalid_params',
      'Invalid Refund state, refund status should be "needs-attention"',
    );
  }
  moveTo(account, refund, 'processing');
  account.core.clock.at(account.now + END_AFTER_MS, endLater(account, refund));
  return answer('Refund retried and has been queued for processing', refundAnswer(account, refund));
}

/** Refunds the remainder of a payment whose dispute was lost. Returns the amount. */
export function lose(account: Account, transaction: Transaction): number {
  const left = transaction.amount - refundedOf(account, transaction, isNotFailed);
  if (left > 0) moveTo(account, addRefund(account, transaction, left), 'processed');
  return left;
}

function addRefund(
  account: Account,
  transaction: Transaction,
  amount: number,
  notes: { customer_note?: string | undefined; merchant_note?: string | undefined } = {},
): Refund {
  const refund: Refund = {
    id: account.nextId(),
    transaction,
    amount,
    status: 'pending',
    bankReference: null,
    customerNote: notes.customer_note ?? `Refund for transaction ${transaction.reference}`,
    merchantNote: notes.merchant_note ?? `Refund for transaction ${transaction.reference}`,
    isDeducted: false,
    createdAt: account.now,
    updatedAt: account.now,
  };
  account.refunds.set(refund.id, refund);
  return refund;
}

function moveTo(account: Account, refund: Refund, status: Refund['status']): void {
  refund.status = status;
  refund.updatedAt = account.now;
  if (status === 'processed' || status === 'failed')
    refund.bankReference = String(FIRST_BANK_REFERENCE + refund.id);
  const { transaction } = refund;
  const isGivenBack = (r: Refund): boolean => r.status === 'processed';
  if (refundedOf(account, transaction, isGivenBack) === transaction.amount) transaction.status = 'reversed';
  sendRefund(account, refund);
}

function isNotFailed({ status }: Refund): boolean {
  return status !== 'failed';
}

function refundedOf(account: Account, transaction: Transaction, counts: (refund: Refund) => boolean): number {
  let sum = 0;
  for (const refund of account.refunds.values()) {
    if (refund.transaction === transaction && counts(refund)) sum += refund.amount;
  }
  return sum;
}

function findByEither(account: Account, name: string): Transaction {
  for (const transaction of account.transactions.values()) {
    if (transaction.reference === name || String(transaction.id) === name) return transaction;
  }
  throw new Refusal(400, 'transaction_not_found', 'Transaction not found');
}

/** @param id in digits */
export function getRefund(account: Account, id: string): Reply {
  return answer('Refund retrieved', refundAnswer(account, findRefund(account, id)));
}

function findRefund(account: Account, id: string): Refund {
  const refund = account.refunds.get(Number(id));
  if (refund === undefined) throw new Refusal(404, 'refund_not_found', 'Refund not found');
  return refund;
}
