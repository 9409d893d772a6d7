import { addReference } from '../../connections/reference-store';
import { judgeDispute, type DisputeStatus } from '../../domain/dispute';
import { displayMoney } from '../../domain/display-text';
import { newIdentifier } from '../../identifiers/identifier';
import {
  findDispute,
  listUnreportedLosses,
  saveDispute,
  type DisputeRow,
  type UnreportedLoss,
} from '../../payments/dispute-store';
import { findPayment, type PaymentRow } from '../../payments/payment-store';
import type { DisputeFacts } from '../../providers/canonical-event';
import { recordBillingEvent } from '../../subscriptions/subscription-history-store';
import { recordLoss, recordReversedLoss, reverseLoss, withdrawLoss } from './dispute-loss';
import { amountTaken, correctedLoss } from './loss-amount';
import type { Reconciliation } from './reconciliation';
import { noteChanges } from './webhook-result';

/**
 * Records a dispute of a payment, once per reference and whatever the order of its events. The amount of a lost dispute
 * counts like a refund; the subscription is unchanged.
 *
 * @returns false if the payment is not known here
 */
export async function reconcileDispute(work: Reconciliation, facts: DisputeFacts): Promise<boolean> {
  const { trx, connection, now } = work;
  const { scope } = connection;
  const paymentId = work.targets.of(facts.of, 'pay_') ?? work.targets.first(work.event.references, 'pay_');
  const payment = paymentId === undefined ? undefined : await findPayment(trx, scope, paymentId, 'lock');
  if (payment === undefined) return false;
  if (facts.amount <= 0n) return true;
  const before = await findDispute(trx, scope, connection.id, facts.reference);
  const { openedAt } = facts;
  const taken = await amountTaken(work, payment, facts, before);
  const { amount, status } =
    taken === null ? { ...facts, status: 'won' as const } : { ...facts, amount: taken };
  // A reading does not say when the dispute was decided, so one that repeats the decision keeps its time.
  const known = before?.status === status ? before.decidedAt : null;
  const at = work.event.occurredAt ?? known ?? now;
  const state = judgeDispute(before ?? null, { amount, status, at, openedAt });
  const after: DisputeRow = {
    id: before?.id ?? newIdentifier('dispute'),
    paymentId: payment.id,
    connectionId: connection.id,
    reference: facts.reference,
    currency: facts.currency,
    reason: facts.reason ?? before?.reason ?? null,
    reportedAsRefund: facts.reportedAsRefund ?? false,
    createdAt: before?.createdAt ?? now,
    ...state,
  };
  if (before !== undefined && before.currency !== after.currency) {
    work.notes.push(`The provider reports ${before.id} in ${facts.currency}; the stored currency is kept.`);
    return true;
  }
  await saveDispute(trx, scope, after);
  if (before === undefined) await addDisputeReference(work, after);
  if (before?.status === after.status) {
    const isSuperseded = status === 'lost' && after.status === 'won' && after.reportedAsRefund;
    const lost = { ...after, status, amount, decidedAt: at };
    if (isSuperseded) await recordReversedLoss(work, payment, lost, after.decidedAt);
    return true;
  }
  noteChanges(work.changes, after.id, before ? { status: before.status } : null, { status: after.status });
  await applyOutcome(work, payment, after);
  await recordDisputeEvent(work, payment, after);
  return true;
}

/**
 * Corrects the losses of a payment's disputes after a refund of it has become known. Some providers state only what was
 * disputed: a refund from before, whose report came after the loss, would count twice. A loss is certain once the
 * provider's own refund reports it.
 *
 * @param payment its row is locked
 */
export async function correctLosses(work: Reconciliation, payment: PaymentRow): Promise<void> {
  const losses = await listUnreportedLosses(work.trx, work.connection.scope, payment.id);
  for (const loss of losses) await correctLoss(work, payment, loss);
}

async function correctLoss(work: Reconciliation, payment: PaymentRow, loss: UnreportedLoss): Promise<void> {
  const { trx, connection, changes } = work;
  const { scope } = connection;
  const before = await findDispute(trx, scope, loss.connectionId, loss.reference);
  if (before === undefined) return;
  const amount = await correctedLoss(work, payment, before, loss);
  if (amount === loss.amount) return;
  if (loss.returnedAt !== null) {
    // It no longer counts, but the refund that reports it is found by its amount.
    if (amount !== null) await recordLoss(work, payment, { ...before, amount }, loss.returnedAt);
    return;
  }
  await withdrawLoss(work, loss);
  const after: DisputeRow = amount === null ? { ...before, status: 'won' } : { ...before, amount };
  await saveDispute(trx, scope, after);
  noteChanges(changes, after.id, comparedFields(before), comparedFields(after));
  await applyOutcome(work, payment, after);
  await recordDisputeEvent(work, payment, after);
}

/** Returns the dispute's fields for a recorded change. */
function comparedFields({ status, amount }: DisputeRow): Record<string, unknown> {
  return { status, amount };
}

async function addDisputeReference(work: Reconciliation, dispute: DisputeRow): Promise<void> {
  const reference = { kind: 'dispute', reference: dispute.reference } as const;
  await addReference(work.trx, work.connection, reference, dispute.id, work.recordedAt);
}

async function applyOutcome(work: Reconciliation, payment: PaymentRow, dispute: DisputeRow): Promise<void> {
  if (dispute.status === 'lost') {
    await recordLoss(work, payment, dispute);
    // A settlement may have included it before it was decided.
    work.newReferences.push({ kind: 'dispute', reference: dispute.reference });
  } else {
    await reverseLoss(work, dispute);
  }
}

const KIND = {
  open: 'dispute_opened',
  won: 'dispute_won',
  lost: 'dispute_lost',
} as const satisfies Record<DisputeStatus, string>;

const WORDS: Record<DisputeStatus, string> = {
  open: 'is disputed',
  won: 'was disputed, and the dispute is won',
  lost: 'was disputed, and the dispute is lost: the money was taken',
};

/** Writes a dispute's state to the developer events, and to its subscription's history if it has one. */
async function recordDisputeEvent(
  { trx, connection, now, recordedAt }: Reconciliation,
  payment: PaymentRow,
  dispute: DisputeRow,
): Promise<void> {
  const { status, amount, currency, reason } = dispute;
  const { externalId, subscriptionId } = payment;
  const why = reason === null ? '' : ` (${reason})`;
  const entry = {
    subscriptionId,
    kind: KIND[status],
    type: 'PAYMENT_RECORDED',
    status: status === 'won' ? 'OK' : 'ERROR',
    message: `${externalId}: ${displayMoney({ amount, currency })} of ${payment.id} ${WORDS[status]}${why}.`,
    source: 'billing',
    data: {
      paymentId: payment.id,
      paymentStatus: payment.status,
      provider: connection.provider,
      connectionId: connection.id,
      customerId: payment.customerId,
      externalId,
      dispute: { id: dispute.id, status, amount: amount.toString(), currency, reason },
    },
  } as const;
  await recordBillingEvent(trx, connection.scope, entry, { happenedAt: now, recordedAt });
}
