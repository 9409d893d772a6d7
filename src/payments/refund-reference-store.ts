import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { ConnectionRef } from '../connections/connection-ref';

/**
 * Lists refunds of a payment that were requested at the provider and whose reference there is not known yet, earliest
 * first. A refund that was never requested cannot be the one the provider reports.
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

/** Moves the provider's reference to another refund than the one it was linked to. */
export async function moveRefundReference(
  trx: DbTransaction,
  { scope, id, provider }: ConnectionRef,
  { reference, refundId }: { reference: string; refundId: string },
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
