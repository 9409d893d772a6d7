import { newestFirst } from '../db/newest-first';
import type { Transaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { PaymentStatus } from '../domain/payment';
import type { Provider } from '../domain/subscription-types';
import type { CreationPosition } from '../pagination/page-by-creation';
import type { WorkspaceScope } from '../tenancy/scope';

/** Money that came in; amounts in minor units. */
export interface PaymentRow {
  id: string;
  customerId: string;
  externalId: string;
  subscriptionId: string | null;
  transactionId: string | null;
  provider: Provider;
  status: PaymentStatus;
  currency: string;
  amount: bigint;
  /** What settled the transaction; the rest is unapplied. */
  appliedAmount: bigint;
  /** Refunds that are pending or have succeeded. */
  refundedAmount: bigint;
  reference: string | null;
  receivedAt: Instant;
  settlementId: string | null;
  createdAt: Instant;
}

export interface PaymentFilter {
  subscriptionId?: string;
  customerId?: string;
  transactionId?: string;
  settlementId?: string;
  status?: PaymentStatus;
}

type Amount = 'amount' | 'appliedAmount' | 'refundedAmount';
type StoredRow = Omit<PaymentRow, Amount> & Record<Amount, string>;

const COLUMNS = {
  id: 'p.id',
  customerId: 'p.customer_id',
  externalId: 'c.external_id',
  subscriptionId: 'p.subscription_id',
  transactionId: 'p.transaction_id',
  provider: 'p.provider',
  status: 'p.status',
  currency: 'p.currency',
  amount: 'p.amount',
  appliedAmount: 'p.applied_amount',
  reference: 'p.reference',
  receivedAt: 'p.received_at',
  settlementId: 'p.settlement_id',
  createdAt: 'p.created_at',
};

const REFUNDED = `
(SELECT coalesce(sum(r.amount), 0) FROM tollgate.refunds r
  WHERE r.workspace_id = p.workspace_id AND r.environment = p.environment AND r.payment_id = p.id
    AND r.status IN ('pending', 'succeeded')) AS "refundedAmount"`;

export type NewPayment = Omit<PaymentRow, 'externalId' | 'refundedAmount' | 'settlementId'>;

export async function insertPayment(
  trx: Transaction,
  scope: WorkspaceScope,
  payment: NewPayment,
): Promise<void> {
  await trx('tollgate.payments').insert({
    workspace_id: scope.workspaceId,
    environment: scope.environment,
    id: payment.id,
    customer_id: payment.customerId,
    subscription_id: payment.subscriptionId,
    transaction_id: payment.transactionId,
    provider: payment.provider,
    status: payment.status,
    currency: payment.currency,
    amount: payment.amount.toString(),
    applied_amount: payment.appliedAmount.toString(),
    reference: payment.reference,
    received_at: new Date(payment.receivedAt),
    created_at: new Date(payment.createdAt),
  });
}

/** @param lock keeps the row for this transaction, so that two refunds of one payment follow each other */
export async function findPayment(
  trx: Transaction,
  scope: WorkspaceScope,
  id: string,
  lock: 'lock' | 'read',
): Promise<PaymentRow | undefined> {
  // The lock comes first and alone: a refund that was committed while the transaction waited then counts.
  if (lock === 'lock') {
    await trx('tollgate.payments')
      .where({ workspace_id: scope.workspaceId, environment: scope.environment, id })
      .forUpdate()
      .select('id');
  }
  const [row] = await payments(trx, scope).where('p.id', id);
  return row === undefined ? undefined : toPayment(row);
}

/** Newest first, by creation and then id. */
export async function listPayments(
  trx: Transaction,
  scope: WorkspaceScope,
  page: PaymentFilter & { limit: number; before?: CreationPosition },
): Promise<PaymentRow[]> {
  const query = payments(trx, scope);
  const { subscriptionId, customerId, transactionId, settlementId, status } = page;
  if (subscriptionId !== undefined) void query.where('p.subscription_id', subscriptionId);
  if (customerId !== undefined) void query.where('p.customer_id', customerId);
  if (transactionId !== undefined) void query.where('p.transaction_id', transactionId);
  if (settlementId !== undefined) void query.where('p.settlement_id', settlementId);
  if (status !== undefined) void query.where('p.status', status);
  newestFirst(query, 'p', page);
  return (await query).map(toPayment);
}

function payments(trx: Transaction, { workspaceId, environment }: WorkspaceScope) {
  return trx({ p: 'tollgate.payments' })
    .join({ c: 'tollgate.customers' }, 'c.id', 'p.customer_id')
    .where({ 'p.workspace_id': workspaceId, 'p.environment': environment })
    .where({ 'c.workspace_id': workspaceId, 'c.environment': environment })
    .select<StoredRow[]>(COLUMNS, trx.raw(REFUNDED));
}

function toPayment(row: StoredRow): PaymentRow {
  return {
    ...row,
    amount: BigInt(row.amount),
    appliedAmount: BigInt(row.appliedAmount),
    refundedAmount: BigInt(row.refundedAmount),
  };
}
