import { isOpen } from '../../domain/operation-status';
import { findOperation } from '../../operations/operation-store';
import { operationIdOf } from '../../operations/target-ids';
import type { PaymentRow } from '../../payments/payment-store';
import { requestedRefund } from '../../payments/refund-service';
import { findRefund, type RefundRow } from '../../payments/refund-store';
import type { RefundFacts } from '../../providers/canonical-event';
import type { Reconciliation } from './reconciliation';

/** A refund requested here. Without a row, a restored database has lost it. */
interface OwnRefund {
  id: string;
  refund: RefundRow | undefined;
  /** The caller's reason. */
  reason: string | null;
}

/**
 * Finds the refund requested here whose id the provider's refund carries. Because others can write an id there too, it
 * is only believed if it was requested here of this payment, or if nothing here has it: the database was restored to a
 * time before the command, and the refund keeps the id that its caller was given.
 *
 * @param payment its row is locked
 */
export async function findOwnRefund(
  { trx, connection: { scope } }: Reconciliation,
  payment: PaymentRow,
  { refundId, amount, status: reported }: RefundFacts,
): Promise<OwnRefund | undefined> {
  if (refundId === undefined) return undefined;
  const refund = await findRefund(trx, scope, refundId, 'lock');
  if (refund !== undefined) {
    const { kind, status, reference, paymentId } = refund;
    // One that failed here and not there is another: it may have been made by a request that was given up.
    const isAwaiting = kind === 'refund' && (status !== 'failed' || reported === 'failed');
    if (!isAwaiting || reference !== null || paymentId !== payment.id || refund.amount !== amount)
      return undefined;
    return { id: refundId, refund, reason: refund.reason };
  }
  const operation = await findOperation(trx, scope, operationIdOf(refundId));
  if (operation === undefined) return { id: refundId, refund, reason: null };
  if (operation.kind !== 'refund' || operation.targetId !== payment.id) return undefined;
  const requested = requestedRefund(operation.input);
  const isRequested = requested.amount === null || requested.amount.amount === amount;
  if (!isOpen(operation.status) || !isRequested) return undefined;
  return { id: refundId, refund, reason: requested.reason };
}
