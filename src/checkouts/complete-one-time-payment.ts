import { announceCall } from '../announcements/announcement-store';
import { together } from '../db/calls';
import { factOfCheckout } from '../domain/announced-facts';
import { isPastWaiting, nextCheckoutPollAt } from '../domain/checkout-polling';
import type { PaymentFacts } from '../providers/canonical-event';
import { findTargets } from '../connections/reference-store';
import { moveReference } from './checkout-reference-store';
import type { CheckoutRow } from './checkout-store';
import { saveCheckout } from './checkout-write-store';
import { endCheckout } from './end-checkout';
import { endPaidOtherwise, endUnresolved, recordLatePayment, type PaymentContext } from './needs-decision';
const FAILED = 'The payment failed at the payment provider.';

/**
 * Applies the payment of a checkout with a one-time amount, in the open transaction. The checkout completes when the
 * money is there (a higher amount may include a fee), and ends when the money is not coming or does not match. The
 * checkout's references then name the payment.
 *
 * @param row locked
 * @param payment as recorded; null if the provider does not report one
 */
export async function completeOneTimePayment(
  work: PaymentContext,
  row: CheckoutRow,
  payment: PaymentFacts | null,
): Promise<void> {
  const { trx, connection, now, recordedAt } = work;
  const { scope } = connection;
  switch (payment?.status) {
    case 'succeeded': {
      if (row.status === 'expired') {
        await recordLatePayment(work, row, payment);
        return;
      }
      if (payment.currency !== row.currency || payment.amount < BigInt(row.amount ?? 0)) {
        await endPaidOtherwise(work, row, payment);
        await moveOrderReference(work, row, payment);
        return;
      }
      const paid = { status: 'complete', completedAt: now, nextWakeAt: null, failure: null } as const;
      await saveCheckout(trx, scope, row.id, paid, now);
      const fact = { ...factOfCheckout(row.id, 'complete'), happenedAt: now };
      await together(trx, [announceCall(scope, [fact], recordedAt)]);
      await moveOrderReference(work, row, payment);
      return;
    }
    case 'failed':
      if (row.status === 'open') {
        await endCheckout(trx, scope, row, { why: 'deadline', at: now, recordedAt, source: 'billing' });
      }
      await saveCheckout(trx, scope, row.id, { nextWakeAt: null, failure: FAILED }, now);
      return;
    default: {
      if (isPastWaiting(row.expiresAt, payment?.status, now)) {
        await endUnresolved(work, row, payment);
        return;
      }
      const polls = row.polls + 1;
      const nextWakeAt = nextCheckoutPollAt({ ...row, polls }, now);
      await saveCheckout(trx, scope, row.id, { polls, nextWakeAt }, now);
    }
  }
}

/** Moves the order reference to the payment, because provider B's events about a capture also name its order. */
async function moveOrderReference(
  { trx, connection }: PaymentContext,
  { id, referenceKind, reference }: CheckoutRow,
  { kind, reference: paid }: PaymentFacts,
): Promise<void> {
  if (referenceKind !== 'order' || reference === null) return;
  const named = { kind, reference: paid };
  const paymentId = (await findTargets(trx, connection, [named])).of(named, 'pay_');
  if (paymentId === undefined) return;
  await moveReference(trx, connection, { kind: referenceKind, reference }, { from: id, to: paymentId });
}
