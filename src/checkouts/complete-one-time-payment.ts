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
 * What the payment of a checkout that takes an amount once makes of it, in the open transaction: complete when the
 * money is there (more than was asked for may have a fee in it), over when it is not coming or is something else. The names of the checkout then name the payment.
 *
 * @param row locked
 * @param payment as it was recorded; null where the provider does not say
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

/** Provider B's events about a capture name its order too: both are the payment's. */
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
