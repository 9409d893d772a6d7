import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { ConnectionRef } from '../connections/connection-ref';

/**
 * Refunds of a payment that the provider was asked for and whose name there is not known yet, the earliest first. What
 * it was never asked for cannot be what it tells of.
 *
 * @param amount minor units
 */
export async function findAwaitingReference(
  trx: DbTransaction,
  { scope }: ConnectionRef,
  paymentId: string,
  amount: bigint,
): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `SELECT r.id FROM tollgate.refunds r
      WHERE r.workspace_id = :workspaceId AND r.environment = :environment AND r.payment_id = :paymentId
        AND r.amount = :amount AND r.kind = 'refund'
        AND (r.status = 'succeeded' OR (r.status = 'pending' AND r.failure IS NOT NULL))
        AND NOT EXISTS (
          SELECT FROM tollgate.provider_references f
           WHERE f.workspace_id = r.workspace_id AND f.environment = r.environment AND f.target_id = r.id
             AND f.kind = 'refund')
      ORDER BY r.created_at, r.id`,
    { ...scope, paymentId, amount: amount.toString() },
  );
  return rows.map(({ id }) => id);
}

/** Has the provider's name of a refund stand for another refund here than it was taken for. */
export async function moveRefundReference(
  trx: DbTransaction,
  { scope, id, provider }: ConnectionRef,
  reference: string,
  refundId: string,
): Promise<void> {
  await trx('tollgate.provider_references')
    .where({
      ...tenantColumns(scope),
      provider,
      connection_id: id,
      kind: 'refund',
      reference,
    })
    .update({ target_id: refundId });
}
