import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { TransactionDraft } from '../domain/transaction';
import type { WorkspaceScope } from '../tenancy/scope';

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
  const changed = await trx('tollgate.subscription_transactions')
    .where({
      ...tenantColumns(scope),
      id: transactionId,
      total: charge.total.toString(),
    })
    .update({
      lines: JSON.stringify(charge.lines, (_, member: unknown) =>
        typeof member === 'bigint' ? member.toString() : member,
      ),
      period_start: new Date(charge.periodStart),
      period_end: new Date(charge.periodEnd),
    });
  // Paid is what was offered; a difference would be a fault of this service.
  if (changed !== 1) throw new Error(`The charge ${transactionId} is not what its subscription costs.`);
}
