import { isOpen } from '../../domain/operation-status';
import { findOperation } from '../../operations/operation-store';
import { operationIdOf } from '../../operations/target-ids';
import type { PaymentRow } from '../../payments/payment-store';
import { requestedRefund } from '../../payments/refund-service';
import { findRefund, type RefundRow } from '../../payments/refund-store';
import type { RefundFacts } from '../../providers/canonical-event';
import type { Reconciliation } from './reconciliation';

/** A refund requested here. Without a row, its operation is open, but a restored database has lost the row. */
interface OwnRefund {
  id: string;
  refund: RefundRow | undefined;
  /** The caller's reason. */
  reason: string | null;
}

/**
 * Finds the refund requested here whose id the provider's refund carries. The id is only believed if an operation asks
 * for this refund of this payment, because others can write it there too.
 *
 * @param payment its row is locked
 */
export async function findOwnRefund(
  { trx, connection: { scope } }: Reconciliation,
  payment: PaymentRow,
  { refundId, amount, status: reported }: RefundFacts,
): Promise<OwnRefund | undefined> {
  if (refundId === undefined) return undefined;
  const operation = await findOperation(trx, scope, operationIdOf(refundId));
  if (operation?.kind !== 'refund' || operation.targetId !== payment.id) return undefined;
  const refund = await findRefund(trx, scope, refundId, 'lock');
  if (refund !== undefined) {
    const { kind, status, reference } = refund;
    // One that failed here and not there is another: it may have been made by a request that was given up.
    const isAwaiting = kind === 'refund' && (status !== 'failed' || reported === 'failed');
    if (!isAwaiting || reference !== null || refund.amount !== amount) return undefined;
    return { id: refundId, refund, reason: refund.reason };
  }
  const requested = requestedRefund(operation.input);
  const isRequested = requested.amount === null || requested.amount.amount === amount;
  if (!isOpen(operation.status) || !isRequested) return undefined;
  return { id: refundId, refund: undefined, reason: requested.reason };
}
