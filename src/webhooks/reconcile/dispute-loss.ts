import { mayReportLoss } from '../../domain/dispute';
import type { Instant } from '../../domain/instant';
import { newIdentifier } from '../../identifiers/identifier';
import {
  findLossOf,
  listUnreportedLosses,
  markLoss,
  unmarkLoss,
  type DisputeRow,
  type UnreportedLoss,
} from '../../payments/dispute-store';
import type { PaymentRow } from '../../payments/payment-store';
import type { RefundFacts } from '../../providers/canonical-event';
import { recordRefundEvent } from '../../payments/refund-event';
import {
  findRefund,
  insertRefund,
  listRefunds,
  saveRefund,
  type RefundRow,
} from '../../payments/refund-store';
import { isRequestedHere } from '../../payments/requested-here';
import type { Reconciliation } from './reconciliation';
import { noteChanges } from './webhook-result';

const CAME_BACK = 'The dispute was not lost: the money came back.';
const OTHER_AMOUNT = 'The dispute did not take this amount, as another refund of the payment shows.';

/**
 * Records the amount taken by a lost dispute, once, as a refund made by the provider. If the provider reports the loss
 * as a refund too, and that refund came first, it is used as the loss.
 *
 * @param payment its row is locked
 * @param returnedAt when its money came back; null if it has not
 */
export async function recordLoss(
  work: Reconciliation,
  payment: PaymentRow,
  dispute: DisputeRow,
  returnedAt: Instant | null = null,
): Promise<void> {
  const { trx, connection, now, notes } = work;
  const { scope } = connection;
  const status = returnedAt === null ? 'succeeded' : 'failed';
  if (dispute.currency !== payment.currency) {
    notes.push(`${dispute.id} is in ${dispute.currency}, so it does not reduce ${payment.id}.`);
    return;
  }
  const known = await findLossOf(trx, scope, dispute.id);
  if (known !== undefined) {
    const former = await findRefund(trx, scope, known, 'lock');
    if (former?.amount === dispute.amount) {
      await endLoss(work, known, status);
      return;
    }
    await unmarkLoss(trx, scope, known);
  }
  const loss = { ...dispute, returnedAt };
  const reported = dispute.reportedAsRefund ? await refundReportedBefore(work, payment, loss) : undefined;
  const id = reported?.id ?? newIdentifier('refund');
  if (reported === undefined) {
    const { currency, amount } = dispute;
    const requestedAt = dispute.decidedAt ?? now;
    const made = { requestedAt, reason: null, nextWakeAt: null };
    const refund = { id, paymentId: payment.id, currency, amount, ...made };
    await insertRefund(trx, scope, refund);
    noteChanges(work.changes, id, null, { kind: 'dispute', amount, currency });
  }
  await markLoss(trx, scope, id, dispute);
  if (reported === undefined || status === 'failed') await endLoss(work, id, status);
}

/**
 * Records a loss whose report arrives after that of the appeal that was won. Without it, the refund that also reports
 * the loss would still count, although its money came back.
 *
 * @param payment its row is locked
 * @param dispute as it was when lost
 * @param wonAt when it was won
 */
export async function recordReversedLoss(
  work: Reconciliation,
  payment: PaymentRow,
  dispute: DisputeRow,
  wonAt: Instant | null,
): Promise<void> {
  const known = await findLossOf(work.trx, work.connection.scope, dispute.id);
  if (known === undefined) await recordLoss(work, payment, dispute, wonAt);
}

/** Reverses the loss of a dispute whose money has come back. */
export async function reverseLoss(work: Reconciliation, dispute: DisputeRow): Promise<void> {
  const loss = await findLossOf(work.trx, work.connection.scope, dispute.id);
  if (loss !== undefined) await endLoss(work, loss, 'failed');
}

/** Takes back a loss that is to be recorded again with another amount, or that took nothing. */
export async function withdrawLoss(work: Reconciliation, { refundId }: UnreportedLoss): Promise<void> {
  await endLoss(work, refundId, 'failed', OTHER_AMOUNT);
}

/**
 * Finds the loss already recorded for a dispute which the provider now reports as a refund of the same amount. A failed
 * refund took nothing, so it is not the loss of a dispute that is still lost.
 */
export async function lossReportedBy(
  { trx, connection, event }: Reconciliation,
  payment: PaymentRow,
  { amount, createdAt, status }: RefundFacts,
): Promise<RefundRow | undefined> {
  const madeAt = createdAt ?? event.occurredAt;
  const losses = await listUnreportedLosses(trx, connection.scope, payment.id);
  const id = losses.find((loss) => loss.amount === amount && mayReportLoss(madeAt, loss))?.refundId;
  const loss = id === undefined ? undefined : await findRefund(trx, connection.scope, id, 'lock');
  return status === 'failed' && loss?.status === 'succeeded' ? undefined : loss;
}

async function endLoss(
  work: Reconciliation,
  id: string,
  status: 'succeeded' | 'failed',
  why = CAME_BACK,
): Promise<void> {
  const { trx, connection, now, recordedAt } = work;
  const before = await findRefund(trx, connection.scope, id, 'lock');
  if (before === undefined || before.status === status) return;
  const failure = status === 'failed' ? why : null;
  const after: RefundRow = { ...before, status, failure, completedAt: now, nextWakeAt: null };
  await saveRefund(trx, connection.scope, after);
  noteChanges(work.changes, id, { status: before.status }, { status });
  const times = { happenedAt: now, recordedAt };
  await recordRefundEvent(trx, connection.scope, after, 'SYSTEM', times);
}

/** Finds a refund of the same amount that was not requested here and may be the provider's report of the loss. */
async function refundReportedBefore(
  { trx, connection }: Reconciliation,
  payment: PaymentRow,
  loss: Pick<UnreportedLoss, 'amount' | 'openedAt' | 'returnedAt'>,
): Promise<RefundRow | undefined> {
  const { scope } = connection;
  const refunds = await listRefunds(trx, scope, { paymentId: payment.id, limit: 200 });
  for (const refund of refunds.reverse()) {
    const { kind, amount, status, requestedAt } = refund;
    if (kind !== 'refund' || amount !== loss.amount || status === 'failed') continue;
    if (!mayReportLoss(requestedAt, loss)) continue;
    if (!(await isRequestedHere(trx, scope, refund.id))) return refund;
  }
  return undefined;
}
