import { dateOrNull, exactJson } from '../db/parameters';
import { newestFirst } from '../db/newest-first';
import { rowsAs, together, type Call } from '../db/calls';
import type { CreationPart } from '../pagination/page-by-creation';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import { insertCall } from '../db/write-calls';
import type { Instant } from '../domain/instant';
import {
  statusOf,
  type TransactionDraft,
  type TransactionStatus,
  OPEN_TRANSACTION_STATUSES,
} from '../domain/transaction';
import { newIdentifier } from '../identifiers/identifier';
import type { WorkspaceScope } from '../tenancy/actor';
import {
  toTransaction,
  TRANSACTION_COLUMNS,
  type StoredTransaction,
  type TransactionRow,
} from './transaction-row';
import { ofCustomer, type CustomerFilter } from '../customers/of-customer-store';

export type { TransactionRow } from './transaction-row';

interface TransactionFilter extends CustomerFilter {
  subscriptionId?: string;
  status?: TransactionStatus;
}

/**
 * Stores an amount that a subscription owes. A transaction with a total of zero is paid at once.
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
  const transaction = newTransaction(owner, draft, now);
  await together(trx, [insertTransactionCall(scope, transaction)]);
  return transaction;
}

/** Builds the transaction of a draft. */
export function newTransaction(
  owner: { id: string; customerId: string },
  draft: TransactionDraft,
  now: Instant,
): TransactionRow {
  const { kind, currency, subtotal, taxAmount, total, tax, periodStart, periodEnd, dueAt } = draft;
  const status = statusOf(total, 0n);
  return {
    id: newIdentifier('transaction'),
    subscriptionId: owner.id,
    customerId: owner.customerId,
    kind,
    status,
    currency,
    subtotal,
    taxAmount,
    total,
    amountPaid: 0n,
    tax,
    ...asStored({ lines: draft.lines, proration: draft.proration }),
    periodStart,
    periodEnd,
    dueAt,
    paidAt: status === 'paid' ? now : null,
    voidedAt: null,
    createdAt: now,
  };
}

/** Returns the JSON members as they are read back: amounts are text. */
function asStored(
  draft: Pick<TransactionDraft, 'lines' | 'proration'>,
): Pick<TransactionRow, 'lines' | 'proration'> {
  return JSON.parse(exactJson(draft)) as Pick<TransactionRow, 'lines' | 'proration'>;
}

/** Leaves `amountPaid` and `voidedAt` at the defaults of a new row. */
export function insertTransactionCall(scope: WorkspaceScope, row: TransactionRow): Call<void> {
  return insertCall('subscription_transaction', 'tollgate.subscription_transactions', {
    ...tenantColumns(scope),
    id: row.id,
    subscription_id: row.subscriptionId,
    customer_id: row.customerId,
    kind: row.kind,
    status: row.status,
    currency: row.currency,
    subtotal: row.subtotal,
    tax_amount: row.taxAmount,
    total: row.total,
    tax: JSON.stringify(row.tax),
    lines: JSON.stringify(row.lines),
    proration: row.proration === null ? null : JSON.stringify(row.proration),
    period_start: new Date(row.periodStart),
    period_end: new Date(row.periodEnd),
    due_at: new Date(row.dueAt),
    paid_at: dateOrNull(row.paidAt),
    created_at: new Date(row.createdAt),
  });
}

/** @param lock `lock` holds the row until the database transaction ends, so that two payments run in turn */
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

/** Reads the existing transactions with these ids, in no order. */
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
 * Lists transactions, newest first by creation and then id.
 *
 * @param page `before` is the creation and id of the previous page's last row
 */
export async function listTransactions(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: TransactionFilter & CreationPart,
): Promise<TransactionRow[]> {
  const query = transactions(trx, scope).select<StoredTransaction[]>(TRANSACTION_COLUMNS);
  newestFirst(query, 'tollgate.subscription_transactions', page);
  const { subscriptionId, status } = page;
  if (subscriptionId !== undefined) void query.where('subscription_id', subscriptionId);
  ofCustomer(query, 'customer_id', scope, page);
  if (status !== undefined) void query.where('status', status);
  return (await query).map(toTransaction);
}

/** Lists the subscription's unpaid transactions, earliest due first. */
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

/** Lists when each unpaid transaction makes its subscription past due, earliest first. */
export async function listOpenDueAts(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
): Promise<Instant[]> {
  const [dueAts] = await together(trx, [openDueAtsCall(scope, subscriptionId)]);
  return dueAts;
}

/** Builds the call of `listOpenDueAts`. */
export function openDueAtsCall(
  { workspaceId, environment }: WorkspaceScope,
  subscriptionId: string,
): Call<Instant[]> {
  return {
    name: 'open_due_ats',
    text: `SELECT due_at FROM tollgate.subscription_transactions
            WHERE workspace_id = $1 AND environment = $2 AND subscription_id = $3
              AND status IN ('pending', 'partially_paid') ORDER BY due_at`,
    values: [workspaceId, environment, subscriptionId],
    read: (rows) => rowsAs<{ due_at: Instant }>(rows).map(({ due_at: dueAt }) => dueAt),
  };
}

/** Returns when a transaction that is not stored yet makes its subscription past due; empty if it is not open. */
export function openDueAtsOf({ status, dueAt }: Pick<TransactionRow, 'status' | 'dueAt'>): Instant[] {
  return OPEN_TRANSACTION_STATUSES.includes(status) ? [dueAt] : [];
}

/**
 * Voids the subscription's open transactions; payments already received stay on record.
 *
 * @returns the ids of the voided transactions
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

/** Saves the result of a payment on a transaction, whose row the caller has locked. */
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
 * Moves a checkout's charge to the period that it actually pays for; its amounts stay the same.
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
  // The customer paid what was offered; a difference would be a bug here.
  if (changed !== 1) throw new Error(`The charge ${transactionId} is not what its subscription costs.`);
}

function transactions(trx: DbTransaction, scope: WorkspaceScope) {
  return trx('tollgate.subscription_transactions').where(tenantColumns(scope));
}

function openOf(trx: DbTransaction, scope: WorkspaceScope, subscriptionId: string) {
  return transactions(trx, scope)
    .where('subscription_id', subscriptionId)
    .whereIn('status', OPEN_TRANSACTION_STATUSES);
}
