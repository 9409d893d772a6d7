import { takenByLoss, type RefundsBesideLoss } from '../../domain/dispute';
import type { Instant } from '../../domain/instant';
import { newIdentifier } from '../../identifiers/identifier';
import { findOperation } from '../../operations/operation-store';
import { operationIdOf } from '../../operations/target-ids';
import {
  findLossesAwaitingRefund,
  findLossOf,
  markLoss,
  unmarkLoss,
  type DisputeRow,
} from '../../payments/dispute-store';
import type { PaymentRow } from '../../payments/payment-store';
import type { DisputeFacts, RefundFacts } from '../../providers/canonical-event';
import { recordRefundEvent } from '../../payments/refund-event';
import {
  findRefund,
  insertRefund,
  listRefunds,
  saveRefund,
  type RefundRow,
} from '../../payments/refund-store';
import type { Reconciliation } from './reconciliation';
import { noteChanges } from './webhook-result';

const CAME_BACK = 'The dispute was not lost: the money came back.';
export const TOOK_LESS = 'The dispute took less: another refund of the payment had been made before.';

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
  const beside = await refundsBesideLoss(work, payment, { openedAt, openedHereAt });
  return takenByLoss(facts.amount, payment.amount, beside);
}

/**
 * Returns the corrected amount of a loss that only its dispute states: a refund that has become known since leaves less
 * of the payment than the provider stated. Null if the dispute took nothing; the stated amount if it may be right.
 *
 * @param payment its row is locked
 * @param lossId the refund that represents the loss
 */
export async function correctedLoss(
  work: Reconciliation,
  payment: PaymentRow,
  { amount, openedAt, createdAt }: DisputeRow,
  lossId: string,
): Promise<bigint | null> {
  const openedHereAt = Math.min(openedAt, createdAt);
  const beside = await refundsBesideLoss(work, payment, { openedAt, openedHereAt, lossId });
  return takenByLoss(amount, payment.amount, beside);
}

/** @param since when the dispute was opened, and `lossId` its loss if that is recorded */
async function refundsBesideLoss(
  { trx, connection: { scope } }: Reconciliation,
  payment: PaymentRow,
  { openedAt, openedHereAt, lossId }: { openedAt: Instant; openedHereAt: Instant; lossId?: string },
): Promise<RefundsBesideLoss> {
  const found = { total: 0n, madeThere: [] as bigint[], isRequestedHere: false };
  for (const refund of await listRefunds(trx, scope, { paymentId: payment.id, limit: 200 })) {
    const { id, kind, amount, status, reference, requestedAt } = refund;
    // A refund without a reference may still be refused, because the dispute has taken the money.
    if (id === lossId || status === 'failed' || (status === 'pending' && reference === null)) continue;
    found.total += amount;
    if (kind === 'dispute') continue;
    const isOurs = (await findOperation(trx, scope, operationIdOf(id))) !== undefined;
    if (isOurs && requestedAt >= openedHereAt) found.isRequestedHere = true;
    if (!isOurs && requestedAt >= openedAt) found.madeThere.push(amount);
  }
  return found;
}

/** Reverses the loss of a dispute whose money has come back, or which took another amount. */
export async function reverseLoss(work: Reconciliation, dispute: DisputeRow, why = CAME_BACK): Promise<void> {
  const loss = await findLossOf(work.trx, work.connection.scope, dispute.id);
  if (loss !== undefined) await endLoss(work, loss, 'failed', why);
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
  const refund = { amount, madeAt: createdAt ?? event.occurredAt };
  const [id] = await findLossesAwaitingRefund(trx, connection.scope, payment.id, refund);
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

/**
 * Finds a refund of the same amount that was not requested here, made since the dispute was opened and before its money
 * came back, if it has.
 */
async function refundReportedBefore(
  { trx, connection }: Reconciliation,
  payment: PaymentRow,
  dispute: Pick<DisputeRow, 'amount' | 'openedAt'> & { returnedAt?: Instant | null },
): Promise<RefundRow | undefined> {
  const { scope } = connection;
  const refunds = await listRefunds(trx, scope, { paymentId: payment.id, limit: 200 });
  for (const refund of refunds.reverse()) {
    const { kind, amount, status, requestedAt } = refund;
    if (kind !== 'refund' || amount !== dispute.amount || status === 'failed') continue;
    if (requestedAt < dispute.openedAt || requestedAt > (dispute.returnedAt ?? requestedAt)) continue;
    if ((await findOperation(trx, scope, operationIdOf(refund.id))) === undefined) return refund;
  }
  return undefined;
}
