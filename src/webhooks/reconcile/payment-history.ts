import type { EventStatus } from '../../domain/event-types';
import type { PaymentStatus } from '../../domain/payment';
import { displayMoney } from '../../domain/display-text';
import type { PaymentRow } from '../../payments/payment-store';
import { recordBillingEvent, recordHistory } from '../../subscriptions/subscription-history-store';
import type { ConnectionRef } from '../../connections/connection-ref';
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

const KINDS = {
  succeeded: 'payment_recorded',
  pending: 'payment_pending',
  failed: 'payment_failed',
} as const satisfies Record<PaymentStatus, string>;

/**
 * Writes a provider's payment to the developer events, and to its subscription's history if it has one.
 *
 * @param options.announce false if integrators were notified before and only the subscription is new
 */
export async function recordProviderPayment(
  { trx, connection, now, recordedAt }: Reconciliation,
  payment: PaymentRow,
  { announce }: { announce: boolean },
): Promise<void> {
  const entry = { ...eventOf(connection, payment), ...(!announce && { announcedAs: null }) };
  await recordBillingEvent(trx, connection.scope, entry, { happenedAt: now, recordedAt });
}

/** Writes a payment to the history of its subscription, if its event was recorded before the subscription was known. */
export async function recordInHistory(
  { trx, connection, now, recordedAt }: Reconciliation,
  payment: PaymentRow,
): Promise<void> {
  const { subscriptionId } = payment;
  if (subscriptionId === null) return;
  const entry = { ...eventOf(connection, payment), subscriptionId };
  await recordHistory(trx, connection.scope, entry, { happenedAt: now, recordedAt });
}

function eventOf(connection: ConnectionRef, payment: PaymentRow) {
  const { status, amount, currency, externalId } = payment;
  return {
    subscriptionId: payment.subscriptionId,
    kind: KINDS[status],
    type: 'PAYMENT_RECORDED',
    status: EVENT_STATUS[status],
    message: `${externalId}: ${displayMoney({ amount, currency })} ${WORDS[status]} at the payment provider.`,
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
}
