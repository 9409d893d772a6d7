import { dateOrNull, exactJson } from '../db/parameters';
import { newestFirst } from '../db/newest-first';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import { statusOf, type TransactionDraft, type TransactionStatus } from '../domain/transaction';
import { newIdentifier } from '../identifiers/identifier';
import type { WorkspaceScope } from '../tenancy/scope';
import {
  RETURNED_TRANSACTION,
  toTransaction,
  TRANSACTION_COLUMNS,
  type StoredTransaction,
  type TransactionRow,
} from './transaction-row';

export type { TransactionRow } from './transaction-row';

interface TransactionFilter {
  subscriptionId?: string;
  customerId?: string;
  status?: TransactionStatus;
}

const OPEN: TransactionStatus[] = ['pending', 'partially_paid'];

/**
 * Stores what a subscription owes; a transaction over nothing is paid as it is made.
 *
 * @param now the workspace's time
 */
export async function insertTransaction(
  trx: DbTransaction,
  scope: WorkspaceScope,
  owner: { id: string; customerId: string },
  draft: TransactionDraft,
  now: Instant,
): Promise<TransactionRow> {
  const status = statusOf(draft.total, 0n);
  const [row] = await trx('tollgate.subscription_transactions')
    .insert({
      ...tenantColumns(scope),
      id: newIdentifier('transaction'),
      subscription_id: owner.id,
      customer_id: owner.customerId,
      kind: draft.kind,
      status,
      currency: draft.currency,
      subtotal: draft.subtotal.toString(),
      tax_amount: draft.taxAmount.toString(),
      total: draft.total.toString(),
      tax: JSON.stringify(draft.tax),
      lines: exactJson(draft.lines),
      proration: draft.proration === null ? null : exactJson(draft.proration),
      period_start: new Date(draft.periodStart),
      period_end: new Date(draft.periodEnd),
      due_at: new Date(draft.dueAt),
      paid_at: status === 'paid' ? new Date(now) : null,
      created_at: new Date(now),
    })
    .returning<StoredTransaction[]>(RETURNED_TRANSACTION);
  if (row === undefined) throw new Error('A transaction that was just written is not there.');
  return toTransaction(row);
}

/** @param lock keeps the row for this transaction of the database, so that two payments follow each other */
export async function findTransaction(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  lock: 'lock' | 'read',
): Promise<TransactionRow | undefined> {
  const query = transactions(trx, scope).where({ id });
  if (lock === 'lock') void query.forUpdate();
  const row = await query.first<StoredTransaction | undefined>(TRANSACTION_COLUMNS);
  return row === undefined ? undefined : toTransaction(row);
}

/** Those of the ids that there are, in no order. */
export async function findTransactions(
  trx: DbTransaction,
  scope: WorkspaceScope,
  ids: readonly string[],
): Promise<TransactionRow[]> {
  const rows = await transactions(trx, scope)
    .whereIn('id', ids)
    .select<StoredTransaction[]>(TRANSACTION_COLUMNS);
  return rows.map(toTransaction);
}

/**
 * Newest first, by creation and then id.
 *
 * @param page `before` is the creation and id of the last row of the page before
 */
export async function listTransactions(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: TransactionFilter & { limit: number; before?: { createdAt: Instant; id: string } },
): Promise<TransactionRow[]> {
  const query = transactions(trx, scope).select<StoredTransaction[]>(TRANSACTION_COLUMNS);
  newestFirst(query, 'tollgate.subscription_transactions', page);
  const { subscriptionId, customerId, status } = page;
  if (subscriptionId !== undefined) void query.where('subscription_id', subscriptionId);
  if (customerId !== undefined) void query.where('customer_id', customerId);
  if (status !== undefined) void query.where('status', status);
  return (await query).map(toTransaction);
}

/** What the subscription still owes, the earliest due first. */
export async function listOpenTransactions(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
): Promise<TransactionRow[]> {
  const rows = await openOf(trx, scope, subscriptionId)
    .orderBy(['due_at', 'id'])
    .select<StoredTransaction[]>(TRANSACTION_COLUMNS);
  return rows.map(toTransaction);
}

/** When each transaction that is still not paid makes its subscription past due, the earliest first. */
export async function listOpenDueAts(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
): Promise<Instant[]> {
  const rows = await openOf(trx, scope, subscriptionId)
    .orderBy('due_at')
    .select<{ dueAt: Instant }[]>({ dueAt: 'due_at' });
  return rows.map(({ dueAt }) => dueAt);
}

/**
 * Demands nothing more of what is open; what was paid of it stays on record.
 *
 * @returns the ids of what was voided
 */
export async function voidOpenTransactions(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
  now: Instant,
): Promise<string[]> {
  const rows = await openOf(trx, scope, subscriptionId)
    .update({ status: 'void', voided_at: new Date(now) })
    .returning<{ id: string }[]>('id');
  return rows.map(({ id }) => id).sort();
}

/** What a payment has made of a transaction, whose row the caller has locked. */
export async function savePaidTransaction(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  { status, amountPaid, paidAt }: Pick<TransactionRow, 'status' | 'amountPaid' | 'paidAt'>,
): Promise<void> {
  await transactions(trx, scope)
    .where({ id })
    .update({
      status,
      amount_paid: amountPaid.toString(),
      paid_at: dateOrNull(paidAt),
    });
}

/**
 * The charge of a checkout now pays for another period than the one of its offer; its amounts stay.
 *
 * @param charge of the same amounts
 */
export async function moveCharge(
  trx: DbTransaction,
  scope: WorkspaceScope,
  transactionId: string,
  charge: Pick<TransactionDraft, 'lines' | 'periodStart' | 'periodEnd' | 'total'>,
): Promise<void> {
  const changed = await transactions(trx, scope)
    .where({ id: transactionId, total: charge.total.toString() })
    .update({
      lines: exactJson(charge.lines),
      period_start: new Date(charge.periodStart),
      period_end: new Date(charge.periodEnd),
    });
  // Paid is what was offered; a difference would be a fault of this service.
  if (changed !== 1) throw new Error(`The charge ${transactionId} is not what its subscription costs.`);
}

function transactions(trx: DbTransaction, scope: WorkspaceScope) {
  return trx('tollgate.subscription_transactions').where(tenantColumns(scope));
}

function openOf(trx: DbTransaction, scope: WorkspaceScope, subscriptionId: string) {
  return transactions(trx, scope).where('subscription_id', subscriptionId).whereIn('status', OPEN);
}
