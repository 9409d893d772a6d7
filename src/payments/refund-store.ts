import { newestFirst } from '../db/newest-first';
import type { DbTransaction } from '../db/pools';
import { dateOrNull, providerTime } from '../db/parameters';
import { tenantColumns, tenantColumnsOf } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { RefundKind, RefundStatus } from '../domain/refund';
import type { CreationPart } from '../pagination/page-by-creation';
import type { WorkspaceScope } from '../tenancy/actor';
import type { Provider } from '../domain/provider';
import { ofCustomer, type CustomerFilter } from '../customers/of-customer-store';

/** A refund, with the fields of its payment. */
export interface RefundRow {
  id: string;
  paymentId: string;
  kind: RefundKind;
  provider: Provider;
  subscriptionId: string | null;
  customerId: string;
  externalId: string;
  status: RefundStatus;
  currency: string;
  /** Minor units. */
  amount: bigint;
  /** The caller's reason, or that of the dispute whose loss it is. */
  reason: string | null;
  /** Why it failed. While it is pending, what it waits for; null until the provider is asked for the first time. */
  failure: string | null;
  /** The workspace's time. */
  requestedAt: Instant;
  /** The workspace's time. */
  completedAt: Instant | null;
  settlementId: string | null;
  /** The provider's reference, once known. */
  reference: string | null;
  /** The connection its payment was made through; null in local billing. */
  connectionId: string | null;
  /** Real time. */
  nextWakeAt: Instant | null;
  createdAt: Instant;
}

export interface RefundFilter extends CustomerFilter {
  paymentId?: string;
  subscriptionId?: string;
  settlementId?: string;
  provider?: Provider;
  status?: RefundStatus;
}

type StoredRow = Omit<RefundRow, 'amount'> & { amount: string };

const COLUMNS = {
  id: 'r.id',
  paymentId: 'r.payment_id',
  kind: 'r.kind',
  provider: 'p.provider',
  subscriptionId: 'p.subscription_id',
  customerId: 'p.customer_id',
  externalId: 'c.external_id',
  status: 'r.status',
  currency: 'r.currency',
  amount: 'r.amount',
  reason: 'r.reason',
  failure: 'r.failure',
  requestedAt: 'r.requested_at',
  completedAt: 'r.completed_at',
  settlementId: 'r.settlement_id',
  nextWakeAt: 'r.next_wake_at',
  createdAt: 'r.created_at',
} satisfies Partial<Record<keyof RefundRow, string>>;

/** From the references: its own reference at the provider, and the connection of its payment's references. */
const REFERRED = `
(SELECT f.reference FROM tollgate.provider_references f
  WHERE f.workspace_id = r.workspace_id AND f.environment = r.environment AND f.target_id = r.id AND f.kind = 'refund'
  ORDER BY f.created_at, f.reference LIMIT 1) AS reference,
(SELECT f.connection_id FROM tollgate.provider_references f
  WHERE f.workspace_id = r.workspace_id AND f.environment = r.environment AND f.target_id = r.payment_id
  ORDER BY f.created_at, f.connection_id LIMIT 1) AS "connectionId"`;

export type NewRefund = Pick<
  RefundRow,
  'id' | 'paymentId' | 'currency' | 'amount' | 'reason' | 'requestedAt' | 'nextWakeAt'
>;

/** Inserts a pending refund, which reserves its amount of the payment. The caller holds the payment's lock. */
export async function insertRefund(
  trx: DbTransaction,
  scope: WorkspaceScope,
  refund: NewRefund,
): Promise<void> {
  await trx('tollgate.refunds').insert({
    ...tenantColumns(scope),
    id: refund.id,
    payment_id: refund.paymentId,
    status: 'pending',
    currency: refund.currency,
    amount: refund.amount.toString(),
    reason: refund.reason,
    requested_at: providerTime(refund.requestedAt),
    next_wake_at: dateOrNull(refund.nextWakeAt),
    created_at: providerTime(refund.requestedAt),
  });
}

/** Saves the result of the provider's answer on a refund whose row the caller has locked. */
export async function saveRefund(
  trx: DbTransaction,
  scope: WorkspaceScope,
  refund: Pick<RefundRow, 'id' | 'status' | 'failure' | 'completedAt' | 'nextWakeAt'>,
): Promise<void> {
  await trx('tollgate.refunds')
    .where({ ...tenantColumns(scope), id: refund.id })
    .update({
      status: refund.status,
      failure: refund.failure,
      completed_at: dateOrNull(refund.completedAt),
      next_wake_at: dateOrNull(refund.nextWakeAt),
    });
}

/** @param lock locks the row for this transaction */
export async function findRefund(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  lock: 'lock' | 'read',
): Promise<RefundRow | undefined> {
  const query = refunds(trx, scope).where('r.id', id);
  if (lock === 'lock') void query.forUpdate('r');
  const [row] = await query;
  return row === undefined ? undefined : toRefund(row);
}

/** Lists refunds, newest first, by creation and then id. */
export async function listRefunds(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: RefundFilter & CreationPart,
): Promise<RefundRow[]> {
  const query = refunds(trx, scope);
  const { paymentId, subscriptionId, settlementId, provider, status } = page;
  if (paymentId !== undefined) void query.where('r.payment_id', paymentId);
  if (subscriptionId !== undefined) void query.where('p.subscription_id', subscriptionId);
  ofCustomer(query, 'p.customer_id', scope, page);
  if (settlementId !== undefined) void query.where('r.settlement_id', settlementId);
  if (provider !== undefined) void query.where('p.provider', provider);
  if (status !== undefined) void query.where('r.status', status);
  newestFirst(query, 'r', page);
  return (await query).map(toRefund);
}

function refunds(trx: DbTransaction, scope: WorkspaceScope) {
  return trx({ r: 'tollgate.refunds' })
    .join({ p: 'tollgate.payments' }, 'p.id', 'r.payment_id')
    .join({ c: 'tollgate.customers' }, 'c.id', 'p.customer_id')
    .where(tenantColumnsOf('r', scope))
    .where(tenantColumnsOf('p', scope))
    .where(tenantColumnsOf('c', scope))
    .select<StoredRow[]>(COLUMNS, trx.raw(REFERRED));
}

function toRefund(row: StoredRow): RefundRow {
  return { ...row, amount: BigInt(row.amount) };
}
