import type { Instant } from '../domain/instant';
import type { TaxSnapshot } from '../domain/tax';
import type { TransactionKind, TransactionStatus } from '../domain/transaction';

/** A line as stored: amounts are minor units as text. */
interface StoredLine {
  description: string;
  quantity: number;
  unitAmount: string | null;
  amount: string;
}

/** An amount that a subscription owes; amounts in minor units. */
export interface TransactionRow {
  id: string;
  subscriptionId: string;
  customerId: string;
  kind: TransactionKind;
  status: TransactionStatus;
  currency: string;
  subtotal: bigint;
  taxAmount: bigint;
  total: bigint;
  amountPaid: bigint;
  /** As of the transaction's creation. */
  tax: TaxSnapshot;
  lines: StoredLine[];
  /** The domain's `Proration` with its amounts as text; null unless the kind is `proration`. */
  proration: Record<string, unknown> | null;
  periodStart: Instant;
  periodEnd: Instant;
  dueAt: Instant;
  paidAt: Instant | null;
  voidedAt: Instant | null;
  createdAt: Instant;
}

/** Columns by member name. */
export const TRANSACTION_COLUMNS = {
  id: 'id',
  subscriptionId: 'subscription_id',
  customerId: 'customer_id',
  kind: 'kind',
  status: 'status',
  currency: 'currency',
  subtotal: 'subtotal',
  taxAmount: 'tax_amount',
  total: 'total',
  amountPaid: 'amount_paid',
  tax: 'tax',
  lines: 'lines',
  proration: 'proration',
  periodStart: 'period_start',
  periodEnd: 'period_end',
  dueAt: 'due_at',
  paidAt: 'paid_at',
  voidedAt: 'voided_at',
  createdAt: 'created_at',
} satisfies Partial<Record<keyof StoredTransaction, string>>;

type Amount = 'subtotal' | 'taxAmount' | 'total' | 'amountPaid';
/** A row as read: a bigint comes as text. */
export type StoredTransaction = Omit<TransactionRow, Amount> & Record<Amount, string>;

export function toTransaction(row: StoredTransaction): TransactionRow {
  return {
    ...row,
    subtotal: BigInt(row.subtotal),
    taxAmount: BigInt(row.taxAmount),
    total: BigInt(row.total),
    amountPaid: BigInt(row.amountPaid),
  };
}
