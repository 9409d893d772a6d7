import type { EventStatus } from '../../domain/event-types';
import type { PaymentStatus } from '../../domain/payment';
import { moneyInWords } from '../../domain/plain-words';
import { recordDeveloperEvent } from '../../events/developer-event-store';
import type { PaymentRow } from '../../payments/payment-store';
import { recordHappening } from '../../subscriptions/subscription-history-store';
import type { Reconciliation } from './reconciliation';

const EVENT_STATUS: Record<PaymentStatus, EventStatus> = {
  succeeded: 'OK',
  pending: 'PENDING',
  failed: 'ERROR',
};

const WORDS: Record<PaymentStatus, string> = {
  succeeded: 'was paid',
  pending: 'is on its way',
  failed: 'could not be collected',
};

/** Writes a payment of a provider into the developer events, and into its subscription's history where it has one. */
export async function recordProviderPayment(
  { trx, connection, now, recordedAt }: Reconciliation,
  payment: PaymentRow,
): Promise<void> {
  const { status, amount, currency, externalId, subscriptionId } = payment;
  const happening = {
    type: 'PAYMENT_RECORDED',
    status: EVENT_STATUS[status],
    message: `${externalId}: ${moneyInWords({ amount, currency })} ${WORDS[status]} at the payment provider.`,
    source: 'billing',
    data: {
      paymentId: payment.id,
      paymentStatus: status,
      provider: connection.provider,
      connectionId: connection.id,
      transactionId: payment.transactionId,
      customerId: payment.customerId,
      externalId,
      currency,
      amount: amount.toString(),
      appliedAmount: payment.appliedAmount.toString(),
      unappliedAmount: (amount - payment.appliedAmount).toString(),
    },
  } as const;
  if (subscriptionId === null) {
    await recordDeveloperEvent(trx, connection.scope, happening, recordedAt);
    return;
  }
  const kind = status === 'succeeded' ? 'payment_recorded' : `payment_${status}`;
  const times = { happenedAt: now, recordedAt };
  await recordHappening(trx, connection.scope, { ...happening, subscriptionId, kind }, times);
}
