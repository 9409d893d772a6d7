import type { Instant } from './instant';
import type { Money } from './money';
import type { Proration } from './proration';
import { applyTax, type TaxSnapshot } from './tax';

/** `void`: nothing more is demanded; earlier payments stay on record. */
export const TRANSACTION_STATUSES = ['pending', 'partially_paid', 'paid', 'void'] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** Statuses of transactions of which something is still due. */
export const OPEN_TRANSACTION_STATUSES: readonly TransactionStatus[] = ['pending', 'partially_paid'];

export const TRANSACTION_KINDS = ['initial', 'renewal', 'proration'] as const;
export type TransactionKind = (typeof TRANSACTION_KINDS)[number];

/** A line of a transaction; `amount` in minor units, negative for a credit. */
export interface TransactionLine {
  description: string;
  quantity: number;
  /** Per interval (and per seat); null if the amount is not a multiple of a price. */
  unitAmount: bigint | null;
  amount: bigint;
}

/** A transaction before it is stored: what a subscription will owe. Minor units. */
export interface TransactionDraft {
  kind: TransactionKind;
  currency: string;
  lines: TransactionLine[];
  subtotal: bigint;
  tax: TaxSnapshot;
  taxAmount: bigint;
  total: bigint;
  /** The period that it pays for. */
  periodStart: Instant;
  periodEnd: Instant;
  /** If unpaid from here on, the subscription is past due. */
  dueAt: Instant;
  /** For `proration` only. */
  proration: Proration | null;
}

/** Drafts a transaction of these lines, with its tax. */
export function draftTransaction(
  input: Pick<
    TransactionDraft,
    'kind' | 'currency' | 'lines' | 'tax' | 'periodStart' | 'periodEnd' | 'dueAt' | 'proration'
  >,
): TransactionDraft {
  const sum = input.lines.reduce((total, line) => total + line.amount, 0n);
  const { subtotal, tax: taxAmount, total } = applyTax(sum, input.tax);
  return { ...input, subtotal, taxAmount, total };
}

/** A transaction with a total of zero is paid from the start. */
export function statusOf(total: bigint, amountPaid: bigint): Exclude<TransactionStatus, 'void'> {
  if (amountPaid >= total) return 'paid';
  return amountPaid === 0n ? 'pending' : 'partially_paid';
}

/**
 * Returns the open transaction that a payment settles: the one of which the same amount is open, or else the earliest
 * due; undefined if none is in its currency.
 *
 * @param open earliest due first
 */
export function settledBy<T extends { currency: string; total: bigint; amountPaid: bigint }>(
  { amount, currency }: Money,
  open: readonly T[],
): T | undefined {
  const payable = open.filter((transaction) => transaction.currency === currency);
  return payable.find(({ total, amountPaid }) => total - amountPaid === amount) ?? payable[0];
}

interface Payable {
  status: TransactionStatus;
  total: bigint;
  amountPaid: bigint;
  /** When it was paid in full; null if it is not. */
  paidAt: Instant | null;
}

/**
 * Returns the part of a payment that its transaction takes, in minor units: up to the amount that is still open, and
 * nothing if it is void. The rest is unapplied.
 */
export function appliedAmountOf(
  { status, total, amountPaid }: Omit<Payable, 'paidAt'>,
  amount: bigint,
): bigint {
  const open = status === 'void' ? 0n : total - amountPaid;
  return amount < open ? amount : open;
}

/** Applies a payment to its transaction, which counts as paid from when the payment that settles it was received. */
export function withPayment<T extends Payable>(
  transaction: T,
  { amount, receivedAt }: { amount: bigint; receivedAt: Instant },
): T {
  if (transaction.status === 'void') return transaction;
  const amountPaid = transaction.amountPaid + appliedAmountOf(transaction, amount);
  const status = statusOf(transaction.total, amountPaid);
  const paidAt = transaction.paidAt ?? (status === 'paid' ? receivedAt : null);
  return { ...transaction, status, amountPaid, paidAt };
}
