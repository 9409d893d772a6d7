import type { DisputeStatus } from '../../domain/dispute';
import { moneyInWords } from '../../domain/plain-words';
import { recordDeveloperEvent } from '../../events/developer-event-store';
import type { DisputeRow } from '../../payments/dispute-store';
import type { PaymentRow } from '../../payments/payment-store';
import { recordSubscriptionEvent } from '../../subscriptions/subscription-history-store';
import type { Reconciliation } from './reconciliation';

const KIND: Record<DisputeStatus, string> = {
  open: 'dispute_opened',
  won: 'dispute_won',
  lost: 'dispute_lost',
};

const WORDS: Record<DisputeStatus, string> = {
  open: 'is disputed',
  won: 'was disputed, and the dispute is won',
  lost: 'was disputed, and the dispute is lost: the money is gone',
};

/** Writes how a dispute stands into the developer events, and into its subscription's history where it has one. */
export async function recordDisputeEvent(
  { trx, connection, now, recordedAt }: Reconciliation,
  payment: PaymentRow,
  dispute: DisputeRow,
): Promise<void> {
  const { status, amount, currency, reason } = dispute;
  const { externalId, subscriptionId } = payment;
  const why = reason === null ? '' : ` (${reason})`;
  const entry = {
    type: 'PAYMENT_RECORDED',
    status: status === 'won' ? 'OK' : 'ERROR',
    message: `${externalId}: ${moneyInWords({ amount, currency })} of ${payment.id} ${WORDS[status]}${why}.`,
    source: 'billing',
    data: {
      paymentId: payment.id,
      paymentStatus: payment.status,
      provider: connection.provider,
      connectionId: connection.id,
      customerId: payment.customerId,
      externalId,
      dispute: {
        id: dispute.id,
        status,
        amount: amount.toString(),
        currency,
        reason,
      },
    },
  } as const;
  if (subscriptionId === null) {
    await recordDeveloperEvent(trx, connection.scope, entry, recordedAt);
    return;
  }
  const times = { happenedAt: now, recordedAt };
  await recordSubscriptionEvent(
    trx,
    connection.scope,
    { ...entry, subscriptionId, kind: KIND[status] },
    times,
  );
}
