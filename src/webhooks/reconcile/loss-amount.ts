import { mayReportLoss, takenByLoss, type RefundsBesideLoss } from '../../domain/dispute';
import type { Instant } from '../../domain/instant';
import type { DisputeRow, UnreportedLoss } from '../../payments/dispute-store';
import type { PaymentRow } from '../../payments/payment-store';
import { listRefunds } from '../../payments/refund-store';
import { isRequestedHere } from '../../payments/requested-here';
import type { DisputeFacts } from '../../providers/canonical-event';
import type { Reconciliation } from './reconciliation';

/**
 * Returns the amount that a reported dispute takes; null if it is lost but took nothing.
 *
 * @param payment its row is locked
 * @param before the known dispute; undefined if its opening is not known
 */
export async function amountTaken(
  work: Reconciliation,
  payment: PaymentRow,
  facts: DisputeFacts,
  before: DisputeRow | undefined,
): Promise<bigint | null> {
  const isNewLoss = facts.status === 'lost' && before?.status !== 'lost';
  if (!isNewLoss || facts.reportedAsRefund !== true || facts.currency !== payment.currency)
    return facts.amount;
  const openedAt = before?.openedAt ?? facts.openedAt ?? work.event.occurredAt ?? work.now;
  // The workspace's clock and the provider's may differ.
  const openedHereAt = before === undefined ? 0 : Math.min(before.openedAt, before.createdAt);
  const refunds = await refundsBesideLoss(work, payment, { openedAt, openedHereAt, returnedAt: null });
  return takenByLoss(facts.amount, payment.amount, refunds);
}

/**
 * Returns the corrected amount of a loss that only its dispute states: a refund that has become known since leaves less
 * of the payment than the provider stated. Null if the dispute took nothing; the stated amount if it may be right.
 *
 * @param payment its row is locked
 */
export async function correctedLoss(
  work: Reconciliation,
  payment: PaymentRow,
  dispute: DisputeRow,
  loss: UnreportedLoss,
): Promise<bigint | null> {
  const openedHereAt = Math.min(dispute.openedAt, dispute.createdAt);
  const refunds = await refundsBesideLoss(work, payment, { ...loss, openedHereAt });
  return takenByLoss(loss.amount, payment.amount, refunds);
}

type DisputeTimes = Pick<UnreportedLoss, 'openedAt' | 'returnedAt'> & { openedHereAt: Instant };

/** @param dispute its times; `refundId` is its recorded loss, which is left out */
async function refundsBesideLoss(
  { trx, connection: { scope } }: Reconciliation,
  payment: PaymentRow,
  { openedHereAt, refundId, ...times }: DisputeTimes & { refundId?: string },
): Promise<RefundsBesideLoss> {
  const found = { total: 0n, madeThere: [] as bigint[], isRequestedHere: false };
  for (const refund of await listRefunds(trx, scope, { paymentId: payment.id, limit: 200 })) {
    const { id, kind, amount, status, reference, requestedAt } = refund;
    // A refund without a reference may still be refused, because the dispute has taken the money.
    if (id === refundId || status === 'failed' || (status === 'pending' && reference === null)) continue;
    if (requestedAt > (times.returnedAt ?? requestedAt)) continue;
    found.total += amount;
    if (kind === 'dispute') continue;
    const isOurs = await isRequestedHere(trx, scope, id);
    if (isOurs && requestedAt >= openedHereAt) found.isRequestedHere = true;
    if (!isOurs && mayReportLoss(requestedAt, times)) found.madeThere.push(amount);
  }
  return found;
}
