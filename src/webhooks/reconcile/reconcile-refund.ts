import { addReference, findTargets, type Reference, type Targets } from '../../connections/reference-store';
import type { DbTransaction } from '../../db/pools';
import { keepingRequest } from '../../db/workspace-transaction';
import { displayMoney } from '../../domain/display-text';
import { isRefundNeed } from '../../domain/refund';
import { newIdentifier } from '../../identifiers/identifier';
import { enqueueRefundSignal } from '../../outbox/enqueue-signal';
import { completeRefund } from '../../payments/complete-refund';
import { findPayment, type PaymentRow } from '../../payments/payment-store';
import { recordRefundEvent } from '../../payments/refund-event';
import type { RefundOutcome } from '../../payments/refund-outcome';
import { findAwaitingReference } from '../../payments/refund-reference-store';
import { findRefund, insertRefund, saveRefund, type RefundRow } from '../../payments/refund-store';
import { isRequestedHere } from '../../payments/requested-here';
import type { RefundFacts } from '../../providers/canonical-event';
import type { WorkspaceScope } from '../../tenancy/actor';
import { lossReportedBy } from './dispute-loss';
import { findOwnRefund } from './own-refund';
import { correctLosses } from './reconcile-dispute';
import type { Reconciliation } from './reconciliation';
import { noteChanges } from './webhook-result';

/** `refund`: it failed, and may be one that was requested here whose reference the provider has yet to answer. */
type Unknown = 'refund' | 'payment of the refund';

const FAILURE = 'The payment provider reports that it failed.';

/**
 * Records a refund in the provider's state, once per reference, including one made at the provider and one above the
 * paid amount. It is found by its own reference or by its payment, never by a checkout's order.
 *
 * @returns what is not known here; null if it was applied
 */
export async function reconcileRefund(work: Reconciliation, facts: RefundFacts): Promise<Unknown | null> {
  const { trx, connection, notes } = work;
  // Read again, because a payment of the same event has been recorded by now.
  const named: Reference[] = facts.reference === null ? [] : [{ kind: 'refund', reference: facts.reference }];
  const targets = await findTargets(trx, connection, [facts.of, ...named]);
  const payment = await lockPaymentOf(work, facts, targets);
  if (payment === undefined) return 'payment of the refund';
  const [reference] = named;
  if (reference === undefined) {
    compareTotal(notes, payment, facts);
    return null;
  }
  if (facts.amount <= 0n) return null;
  if (facts.currency !== payment.currency) {
    throw new Error(
      `The refund is in ${facts.currency}, but its payment ${payment.id} is in ${payment.currency}.`,
    );
  }
  // Looked up under the payment's lock: another webhook for the same refund has committed by now.
  const known = (await findTargets(trx, connection, named)).of(reference, 'ref_');
  const refund =
    known === undefined
      ? await matchOrInsert(work, payment, reference, facts)
      : await findRefund(trx, connection.scope, known, 'lock');
  if (refund === 'undecided') return 'refund';
  if (refund !== undefined) await updateStatus(work, refund, facts);
  await correctLosses(work, payment);
  return null;
}

async function lockPaymentOf(
  { trx, connection: { scope } }: Reconciliation,
  { of, reference }: RefundFacts,
  targets: Targets,
): Promise<PaymentRow | undefined> {
  const known = reference === null ? undefined : targets.of({ kind: 'refund', reference }, 'ref_');
  const refund = known === undefined ? undefined : await findRefund(trx, scope, known, 'read');
  const id = refund?.paymentId ?? (of.kind === 'order' ? undefined : targets.of(of, 'pay_'));
  return id === undefined ? undefined : findPayment(trx, scope, id, 'lock');
}

/**
 * Notes a difference in totals. An event that does not name the refund shows at most that one is missing; that refund's
 * own event, or a reading of the provider, has it.
 */
function compareTotal(notes: string[], payment: PaymentRow, { totalRefunded }: RefundFacts): void {
  const { id, currency, refundedAmount } = payment;
  const words = (amount: bigint) => displayMoney({ amount, currency });
  if (totalRefunded === null) {
    notes.push(
      `The provider does not identify this refund of ${id}. Compare its refunds with the provider’s.`,
    );
  } else if (totalRefunded > refundedAmount) {
    notes.push(
      `The provider has refunded ${words(totalRefunded)} of ${id}; ${words(refundedAmount)} is recorded here. A separate event reports the rest.`,
    );
  }
}

/**
 * Matches a refund requested here whose reference is not known yet: the webhook may arrive before the provider's
 * answer. It is the one whose id the provider's refund carries, even if a restored database has lost its row: the row
 * is then inserted under that id, so that its operation, if it is known, finds it reserved. Without an id it is one of
 * the same amount. Of two, the earlier is taken; the answers correct that. A failure without an id is not matched with
 * a refund that is still being requested: if it is another one's, this one may yet be made.
 *
 * @returns `undecided` if it failed and may be such a refund: the report is applied once that has its answer
 */
async function matchOrInsert(
  work: Reconciliation,
  payment: PaymentRow,
  reference: Reference,
  facts: RefundFacts,
): Promise<RefundRow | 'undecided' | undefined> {
  const { trx, connection, recordedAt, newReferences, now, event } = work;
  const { scope } = connection;
  const own = await findOwnRefund(work, payment, facts);
  const awaiting = own === undefined ? await findLikely(work, payment, facts) : own.refund;
  if (own === undefined && facts.status === 'failed' && awaiting?.status === 'pending') return 'undecided';
  const isBeyond = payment.refundedAmount + facts.amount > payment.amount;
  if (awaiting === undefined && facts.isUnnamed === true && isBeyond) {
    work.notes.push(
      `${payment.id} is already refunded in full, so this is treated as a refund that is already recorded.`,
    );
    return undefined;
  }
  const id = own?.id ?? awaiting?.id ?? newIdentifier('refund');
  if (!(await addReference(trx, connection, reference, id, recordedAt))) return undefined;
  newReferences.push(reference);
  if (awaiting !== undefined) return findRefund(trx, scope, id, 'lock');
  const { currency, amount } = facts;
  await insertRefund(trx, scope, {
    id,
    paymentId: payment.id,
    currency,
    amount,
    reason: own?.reason ?? null,
    requestedAt: facts.createdAt ?? event.occurredAt ?? now,
    nextWakeAt: null,
  });
  noteChanges(work.changes, id, null, { status: 'pending', amount, currency });
  if (facts.status === 'pending') {
    // Recorded as pending and polled later, because the final webhook may be lost.
    await recordOutcome(work, id, { kind: 'pending', needs: facts.needs ?? null });
  }
  return findRefund(trx, scope, id, 'lock');
}

/**
 * Finds the refund, or the loss of a dispute, that this is likely to be by its amount. Refunds requested here carry our
 * id, so one without it is rather a loss, and one that carries another id is none that is being requested.
 */
async function findLikely(
  work: Reconciliation,
  payment: PaymentRow,
  facts: RefundFacts,
): Promise<RefundRow | undefined> {
  const { trx, connection } = work;
  const loss = await lossReportedBy(work, payment, facts);
  if (loss !== undefined || facts.refundId !== undefined) return loss;
  const [id] = await findAwaitingReference(trx, connection, payment.id, facts.amount);
  return id === undefined ? undefined : findRefund(trx, connection.scope, id, 'lock');
}

/** Moves a refund from pending to its end. A succeeded one may still fail if the money comes back. */
async function updateStatus(work: Reconciliation, before: RefundRow, facts: RefundFacts): Promise<void> {
  const { trx, connection, now, recordedAt } = work;
  const { needs = null } = facts;
  const isOpen = facts.status === 'pending' && before.status === 'pending';
  if (isOpen && (needs !== null || isRefundNeed(before.failure))) {
    await recordOutcome(work, before.id, { kind: 'pending', needs });
    return;
  }
  if (facts.status === before.status || facts.status === 'pending' || before.status === 'failed') return;
  noteChanges(work.changes, before.id, { status: before.status }, { status: facts.status });
  if (before.status === 'pending') {
    const isDone = facts.status === 'succeeded';
    await recordOutcome(work, before.id, isDone ? { kind: 'done' } : { kind: 'declined', reason: FAILURE });
    await signalRefundWorkflow(trx, connection.scope, before.id);
    return;
  }
  const failed: RefundRow = {
    ...before,
    status: 'failed',
    failure: FAILURE,
    completedAt: now,
    nextWakeAt: null,
  };
  await saveRefund(trx, connection.scope, failed);
  await recordRefundEvent(trx, connection.scope, failed, 'SYSTEM', { happenedAt: now, recordedAt });
}

/**
 * Records what the provider says of a refund; once it has ended, also answers the operation that requested it, if any.
 * The refund's event names that request, and the webhook's own event the delivery's.
 */
function recordOutcome(
  { trx, connection, recordedAt }: Reconciliation,
  refundId: string,
  outcome: RefundOutcome,
): Promise<void> {
  const recorded = { refundId, outcome, operationId: null };
  return keepingRequest(trx, () => completeRefund(trx, connection.scope, recorded, recordedAt));
}

/** Makes the workflow of a refund requested here read its row again, because a command may be waiting for it. */
async function signalRefundWorkflow(
  trx: DbTransaction,
  scope: WorkspaceScope,
  refundId: string,
): Promise<void> {
  if (await isRequestedHere(trx, scope, refundId)) await enqueueRefundSignal(trx, scope, refundId);
}
