import { workspaceTime } from '../clock/sandbox-clock-store';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';
import { findBilledSubscription } from '../subscriptions/billed-subscription-store';
import type { ConnectionRef } from '../connections/connection-ref';
import { addReference, findTargets } from '../connections/reference-store';
import { reopenRefund } from './reopen-refund';
import type { RefundAttemptResult } from './request-refund';
import { completeRefund } from './complete-refund';
import { findPayment, type PaymentNames } from './payment-store';
import { recordRefundEvent } from './refund-event';
import { moveRefundReference } from './refund-reference-store';
import { findRefund, insertRefund, saveRefund, type RefundRow } from './refund-store';
import { linkLateLines } from './settlement-late-lines';
import { BEING_REQUESTED } from './refund-outcome';
import { recordExternalRefunds, type ReconciledConnection } from './external-refunds';

/** A refund whose outcome is about to be recorded. */
const OPEN = { status: 'pending', failure: BEING_REQUESTED, completedAt: null } as const;

/**
 * Records the provider's answer in the open transaction: its reference of the refund, by which webhooks and settlements
 * find it, and the refund's status. A loss of a dispute that was recorded without this refund is corrected, as its
 * webhook would do. Events that arrived early under that reference are applied now, and those about another refund of
 * the payment that might have been this one.
 *
 * @param recordedAt real time
 */
export async function recordRefundResult(
  trx: DbTransaction,
  { reconciler, connection, adapter }: ReconciledConnection,
  refundId: string,
  { outcome, facts }: RefundAttemptResult,
  recordedAt: Instant,
): Promise<void> {
  const { scope } = connection;
  const reference = facts?.reference ?? null;
  const isNew =
    reference !== null && (await linkReference(trx, connection, { reference, refundId }, recordedAt));
  await completeRefund(trx, scope, { refundId, outcome, operationId: null }, recordedAt);
  const named = isNew ? [{ kind: 'refund', reference } as const] : [];
  await linkLateLines({ trx, connection }, named);
  const now = await workspaceTime(trx, scope, recordedAt);
  if (isNew && facts !== null)
    await recordExternalRefunds(trx, { reconciler, connection, adapter }, [facts], recordedAt);
  const names = [...named, ...(await namesOfPayment(trx, scope, refundId))];
  await reconciler.replayUnmatched(trx, connection, names, { adapter, now, recordedAt });
}

async function namesOfPayment(
  trx: DbTransaction,
  scope: ConnectionRef['scope'],
  refundId: string,
): Promise<PaymentNames['references']> {
  const refund = await findRefund(trx, scope, refundId, 'read');
  const payment = refund && (await findPayment(trx, scope, refund.paymentId, 'read'));
  return payment?.references ?? [];
}

/**
 * Links the provider's reference to its refund. An earlier webhook may have linked it by the amount, and with two
 * refunds of one amount perhaps to the wrong one; the provider's answer to our own key decides. The other refund gets
 * the reference that was taken for ours; without one it is open again.
 *
 * @returns whether the reference is new here
 */
async function linkReference(
  trx: DbTransaction,
  connection: ConnectionRef,
  { reference, refundId }: { reference: string; refundId: string },
  at: Instant,
): Promise<boolean> {
  const { scope } = connection;
  const refund = await lockAround(trx, connection, refundId);
  if (refund.reference === reference) return false;
  const named = { kind: 'refund', reference } as const;
  const isNew = await addReference(trx, connection, named, refundId, at);
  const other = (await findTargets(trx, connection, [named])).of(named, 'ref_');
  if (other === undefined) throw new Error(`The reference of ${refundId} belongs to something else here.`);
  if (other !== refundId) await moveRefundReference(trx, connection, { reference, refundId });
  if (refund.reference !== null) {
    const owner = other === refundId ? await insertOfProvider(trx, connection, refund, at) : other;
    await moveRefundReference(trx, connection, { reference: refund.reference, refundId: owner });
    // The failure was that of the other refund.
    if (refund.status === 'failed') await saveRefund(trx, scope, { ...refund, ...OPEN });
  } else if (other !== refundId) {
    await reopenRefund(trx, scope, { refundId: other, claimantId: refundId }, at);
  }
  return isNew;
}

/** Inserts a concurrent refund of the same amount, made at the provider and taken for ours. If open, it is polled. */
async function insertOfProvider(
  trx: DbTransaction,
  { scope }: ConnectionRef,
  taken: RefundRow,
  recordedAt: Instant,
): Promise<string> {
  const refund: RefundRow = { ...taken, id: newIdentifier('refund'), reason: null };
  await insertRefund(trx, scope, refund);
  await saveRefund(trx, scope, refund);
  const happenedAt = await workspaceTime(trx, scope, recordedAt);
  await recordRefundEvent(trx, scope, refund, 'SYSTEM', { happenedAt, recordedAt });
  return refund.id;
}

/** Locks in the order used by webhooks: the subscription, the payment, the refund. */
async function lockAround(
  trx: DbTransaction,
  { scope }: ConnectionRef,
  refundId: string,
): Promise<RefundRow> {
  const seen = await findRefund(trx, scope, refundId, 'read');
  if (seen === undefined) throw new Error(`There is no refund ${refundId}.`);
  if (seen.subscriptionId !== null) await findBilledSubscription(trx, scope, seen.subscriptionId, 'lock');
  await findPayment(trx, scope, seen.paymentId, 'lock');
  const refund = await findRefund(trx, scope, refundId, 'lock');
  return refund ?? seen;
}
