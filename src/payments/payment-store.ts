import { newestFirst } from '../db/newest-first';
import { providerTime } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { tenantColumns, tenantColumnsOf } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { DisputeStatus } from '../domain/dispute';
import type { PaymentStatus } from '../domain/payment';
import type { CreationPart } from '../pagination/page-by-creation';
import type { ProviderReference } from '../providers/provider-operations';
import type { WorkspaceScope } from '../tenancy/actor';
import type { Provider } from '../domain/provider';
import { ofCustomer, type CustomerFilter } from '../customers/of-customer-store';

/** A received payment; amounts in minor units. */
export interface PaymentRow {
  id: string;
  customerId: string;
  externalId: string;
  subscriptionId: string | null;
  transactionId: string | null;
  /** The one-time checkout that it was made through. */
  checkoutId: string | null;
  provider: Provider;
  status: PaymentStatus;
  currency: string;
  amount: bigint;
  /** The part that settled the transaction; the rest is unapplied. */
  appliedAmount: bigint;
  /** Refunds that are pending or have succeeded. */
  refundedAmount: bigint;
  reference: string | null;
  receivedAt: Instant;
  settlementId: string | null;
  /** The most relevant dispute: an open one, otherwise the latest. */
  dispute: PaymentDispute | null;
  createdAt: Instant;
}

/** A customer's dispute of a payment. */
export interface PaymentDispute {
  id: string;
  status: DisputeStatus;
  /** Minor units, as text. */
  amount: string;
  currency: string;
  /** The provider's own reason. */
  reason: string | null;
  openedAt: Instant;
  decidedAt: Instant | null;
}

/** The provider's references of a payment, and the connection it was made through; none in local billing. */
export interface PaymentNames {
  connectionId: string | null;
  references: ProviderReference[];
}

export interface PaymentFilter extends CustomerFilter {
  subscriptionId?: string;
  transactionId?: string;
  checkoutId?: string;
  settlementId?: string;
  provider?: Provider;
  status?: PaymentStatus;
}

type Amount = 'amount' | 'appliedAmount' | 'refundedAmount';
type StoredRow = Omit<PaymentRow & PaymentNames, Amount> & Record<Amount, string>;

const COLUMNS = {
  id: 'p.id',
  customerId: 'p.customer_id',
  externalId: 'c.external_id',
  subscriptionId: 'p.subscription_id',
  transactionId: 'p.transaction_id',
  checkoutId: 'p.checkout_id',
  provider: 'p.provider',
  status: 'p.status',
  currency: 'p.currency',
  amount: 'p.amount',
  appliedAmount: 'p.applied_amount',
  reference: 'p.reference',
  receivedAt: 'p.received_at',
  settlementId: 'p.settlement_id',
  createdAt: 'p.created_at',
} satisfies Partial<Record<keyof PaymentRow, string>>;

const REFUNDED = `
(SELECT coalesce(sum(r.amount), 0) FROM tollgate.refunds r
  WHERE r.workspace_id = p.workspace_id AND r.environment = p.environment AND r.payment_id = p.id
    AND r.status IN ('pending', 'succeeded')) AS "refundedAmount"`;

const DISPUTE = `
(SELECT json_build_object('id', d.id, 'status', d.status, 'amount', d.amount::text, 'currency', d.currency, 'reason', d.reason,
          'openedAt', floor(extract(epoch FROM d.opened_at) * 1000)::bigint,
          'decidedAt', floor(extract(epoch FROM d.decided_at) * 1000)::bigint)
   FROM tollgate.disputes d
  WHERE d.workspace_id = p.workspace_id AND d.environment = p.environment AND d.payment_id = p.id
  ORDER BY (d.status = 'open') DESC, d.opened_at DESC, d.id DESC LIMIT 1) AS dispute`;

const NAMES = `
(SELECT f.connection_id FROM tollgate.provider_references f
  WHERE f.workspace_id = p.workspace_id AND f.environment = p.environment AND f.target_id = p.id
  ORDER BY f.created_at, f.connection_id LIMIT 1) AS "connectionId",
(SELECT coalesce(json_agg(json_build_object('kind', f.kind, 'reference', f.reference) ORDER BY f.kind, f.reference), '[]')
   FROM tollgate.provider_references f
  WHERE f.workspace_id = p.workspace_id AND f.environment = p.environment AND f.target_id = p.id) AS "references"`;

export type NewPayment = Omit<PaymentRow, 'externalId' | 'refundedAmount' | 'settlementId' | 'dispute'>;

export async function insertPayment(
  trx: DbTransaction,
  scope: WorkspaceScope,
  payment: NewPayment,
): Promise<void> {
  await trx('tollgate.payments').insert({
    ...tenantColumns(scope),
    id: payment.id,
    customer_id: payment.customerId,
    subscription_id: payment.subscriptionId,
    transaction_id: payment.transactionId,
    checkout_id: payment.checkoutId,
    provider: payment.provider,
    status: payment.status,
    currency: payment.currency,
    amount: payment.amount.toString(),
    applied_amount: payment.appliedAmount.toString(),
    reference: payment.reference,
    received_at: providerTime(payment.receivedAt),
    created_at: new Date(payment.createdAt),
  });
}

/** @param lock locks the row for this transaction, so that two refunds of one payment run one after the other */
export async function findPayment(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  lock: 'lock' | 'read',
): Promise<(PaymentRow & PaymentNames) | undefined> {
  // Lock in a separate statement first, so that a refund committed while this transaction waited is counted.
  if (lock === 'lock') {
    await trx('tollgate.payments')
      .where({ ...tenantColumns(scope), id })
      .forUpdate()
      .select('id');
  }
  const [row] = await payments(trx, scope).where('p.id', id);
  return row === undefined ? undefined : toPayment(row);
}

/** Lists payments, newest first, by creation and then id. */
export async function listPayments(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: PaymentFilter & CreationPart,
): Promise<(PaymentRow & PaymentNames)[]> {
  const query = payments(trx, scope);
  const { subscriptionId, transactionId, checkoutId, settlementId, provider, status } = page;
  if (subscriptionId !== undefined) void query.where('p.subscription_id', subscriptionId);
  ofCustomer(query, 'p.customer_id', scope, page);
  if (transactionId !== undefined) void query.where('p.transaction_id', transactionId);
  if (checkoutId !== undefined) void query.where('p.checkout_id', checkoutId);
  if (settlementId !== undefined) void query.where('p.settlement_id', settlementId);
  if (provider !== undefined) void query.where('p.provider', provider);
  if (status !== undefined) void query.where('p.status', status);
  newestFirst(query, 'p', page);
  return (await query).map(toPayment);
}

function payments(trx: DbTransaction, scope: WorkspaceScope) {
  return trx({ p: 'tollgate.payments' })
    .join({ c: 'tollgate.customers' }, 'c.id', 'p.customer_id')
    .where(tenantColumnsOf('p', scope))
    .where(tenantColumnsOf('c', scope))
    .select<StoredRow[]>(COLUMNS, trx.raw(REFUNDED), trx.raw(DISPUTE), trx.raw(NAMES));
}

function toPayment(row: StoredRow): PaymentRow & PaymentNames {
  return {
    ...row,
    amount: BigInt(row.amount),
    appliedAmount: BigInt(row.appliedAmount),
    refundedAmount: BigInt(row.refundedAmount),
  };
}

/**
 * Returns the amount of a subscription's latest succeeded payment in a range of time, in minor units; undefined if
 * there is none.
 *
 * @param range.to exclusive
 */
export async function findLatestCharge(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
  range: { from: Instant; to: Instant },
): Promise<string | undefined> {
  const charge = await trx('tollgate.payments')
    .where({ ...tenantColumns(scope), subscription_id: subscriptionId, status: 'succeeded' })
    .where('received_at', '>=', new Date(range.from))
    .where('received_at', '<', new Date(range.to))
    .orderBy('received_at', 'desc')
    .first<{ amount: string } | undefined>('amount');
  return charge?.amount;
}
