import { providerTime, providerTimeOrNull } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { DisputeState } from '../domain/dispute';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** A payment disputed by its customer. Instants are the provider's time. */
export interface DisputeRow extends DisputeState {
  id: string;
  paymentId: string;
  connectionId: string;
  /** The provider's reference of the dispute. */
  reference: string;
  currency: string;
  /** The provider's own reason. */
  reason: string | null;
  /** Whether the provider also reports a loss as a refund of the payment. */
  reportedAsRefund: boolean;
  createdAt: Instant;
}

const COLUMNS = {
  id: 'id',
  paymentId: 'payment_id',
  connectionId: 'connection_id',
  reference: 'reference',
  status: 'status',
  currency: 'currency',
  amount: 'amount',
  reason: 'reason',
  reportedAsRefund: 'told_as_refund',
  openedAt: 'opened_at',
  decidedAt: 'decided_at',
  createdAt: 'created_at',
} satisfies Partial<Record<keyof DisputeRow, string>>;

/** Finds a dispute by its reference. The caller holds the lock of the payment. */
export async function findDispute(
  trx: DbTransaction,
  scope: WorkspaceScope,
  connectionId: string,
  reference: string,
): Promise<DisputeRow | undefined> {
  const row = await trx('tollgate.disputes')
    .where({
      ...tenantColumns(scope),
      connection_id: connectionId,
      reference,
    })
    .first<(Omit<DisputeRow, 'amount'> & { amount: string }) | undefined>(COLUMNS);
  return row === undefined ? undefined : { ...row, amount: BigInt(row.amount) };
}

/** Lists the open disputes of a connection that were opened since an instant, earliest first. */
export async function listOpenDisputes(
  trx: DbTransaction,
  scope: WorkspaceScope,
  connectionId: string,
  { since, limit }: { since: Instant; limit: number },
): Promise<Pick<DisputeRow, 'reference' | 'openedAt'>[]> {
  return trx('tollgate.disputes')
    .where({
      ...tenantColumns(scope),
      connection_id: connectionId,
      status: 'open',
    })
    .where('opened_at', '>=', providerTime(since))
    .orderBy('opened_at')
    .limit(limit)
    .select<Pick<DisputeRow, 'reference' | 'openedAt'>[]>({ reference: 'reference', openedAt: 'opened_at' });
}

/** Inserts or updates a dispute. */
export async function saveDispute(
  trx: DbTransaction,
  scope: WorkspaceScope,
  dispute: DisputeRow,
): Promise<void> {
  const state = {
    status: dispute.status,
    amount: dispute.amount.toString(),
    reason: dispute.reason,
    opened_at: providerTime(dispute.openedAt),
    decided_at: providerTimeOrNull(dispute.decidedAt),
  };
  await trx('tollgate.disputes')
    .insert({
      ...tenantColumns(scope),
      id: dispute.id,
      payment_id: dispute.paymentId,
      connection_id: dispute.connectionId,
      reference: dispute.reference,
      currency: dispute.currency,
      told_as_refund: dispute.reportedAsRefund,
      created_at: new Date(dispute.createdAt),
      ...state,
    })
    .onConflict(['workspace_id', 'environment', 'id'])
    .merge(state);
}

/** An amount that a dispute took, known only from the dispute so far. The provider will also report it as a refund. */
export interface UnreportedLoss {
  refundId: string;
  /** Minor units. */
  amount: bigint;
  connectionId: string;
  /** The provider's reference of the dispute. */
  reference: string;
  openedAt: Instant;
  /** When its money came back, by the provider's time; null if it has not. */
  returnedAt: Instant | null;
}

/** Lists the losses of a payment's disputes that the provider has yet to report as refunds. */
export async function listUnreportedLosses(
  trx: DbTransaction,
  { workspaceId, environment }: WorkspaceScope,
  paymentId: string,
): Promise<UnreportedLoss[]> {
  const { rows } = await trx.raw<{ rows: (Omit<UnreportedLoss, 'amount'> & { amount: string })[] }>(
    `SELECT r.id AS "refundId", r.amount, d.connection_id AS "connectionId", d.reference, d.opened_at AS "openedAt",
            CASE WHEN r.status = 'failed' THEN d.decided_at END AS "returnedAt"
       FROM tollgate.refunds r
       JOIN tollgate.disputes d ON d.workspace_id = r.workspace_id AND d.environment = r.environment AND d.id = r.dispute_id
      WHERE r.workspace_id = :workspaceId AND r.environment = :environment AND r.payment_id = :paymentId
        AND d.told_as_refund
        AND NOT EXISTS (SELECT FROM tollgate.provider_references n
                         WHERE n.workspace_id = r.workspace_id AND n.environment = r.environment
                           AND n.kind = 'refund' AND n.target_id = r.id)
      ORDER BY r.id`,
    { workspaceId, environment, paymentId },
  );
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

/** Finds the refund that represents the money a dispute took, if there is one. */
export async function findLossOf(
  trx: DbTransaction,
  scope: WorkspaceScope,
  disputeId: string,
): Promise<string | undefined> {
  const row = await trx('tollgate.refunds')
    .where({ ...tenantColumns(scope), dispute_id: disputeId })
    .first<{ id: string } | undefined>('id');
  return row?.id;
}

/** Makes a refund represent the money that a dispute took, with the dispute's reason unless it has one. */
export async function markLoss(
  trx: DbTransaction,
  scope: WorkspaceScope,
  refundId: string,
  { id, reason }: Pick<DisputeRow, 'id' | 'reason'>,
): Promise<void> {
  const row = { kind: 'dispute', dispute_id: id };
  const refund = trx('tollgate.refunds').where({ ...tenantColumns(scope), id: refundId });
  await (reason === null
    ? refund.update(row)
    : refund.update({ ...row, reason: trx.raw('coalesce(reason, ?)', [`Dispute: ${reason}`]) }));
}

/** Turns a returned refund that represented a dispute's loss into an ordinary one: the dispute takes another amount. */
export async function unmarkLoss(trx: DbTransaction, scope: WorkspaceScope, refundId: string): Promise<void> {
  await trx('tollgate.refunds')
    .where({ ...tenantColumns(scope), id: refundId })
    .update({ kind: 'refund', dispute_id: null });
}
