import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { WorkspaceScope } from '../tenancy/scope';

/** The refund that stands for what a dispute took, if there is one. */
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

/** Makes a refund stand for what a dispute took. */
export async function markLoss(
  trx: DbTransaction,
  scope: WorkspaceScope,
  refundId: string,
  disputeId: string,
): Promise<void> {
  await trx('tollgate.refunds')
    .where({ ...tenantColumns(scope), id: refundId })
    .update({ kind: 'dispute', dispute_id: disputeId });
}

/** What disputes of a payment took of this amount, where the provider tells of that by a refund which has not come yet. */
export async function findLossesAwaitingRefund(
  trx: DbTransaction,
  { workspaceId, environment }: WorkspaceScope,
  paymentId: string,
  amount: bigint,
): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `SELECT r.id FROM tollgate.refunds r
       JOIN tollgate.disputes d ON d.workspace_id = r.workspace_id AND d.environment = r.environment AND d.id = r.dispute_id
      WHERE r.workspace_id = :workspaceId AND r.environment = :environment AND r.payment_id = :paymentId
        AND r.amount = :amount AND d.told_as_refund
        AND NOT EXISTS (SELECT FROM tollgate.provider_references n
                         WHERE n.workspace_id = r.workspace_id AND n.environment = r.environment
                           AND n.kind = 'refund' AND n.target_id = r.id)
      ORDER BY r.id`,
    { workspaceId, environment, paymentId, amount: amount.toString() },
  );
  return rows.map(({ id }) => id);
}
