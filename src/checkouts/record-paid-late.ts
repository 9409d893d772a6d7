import type { Transaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { moneyInWords, planInWords } from '../domain/plain-words';
import { recordDeveloperEvent } from '../events/developer-event-store';
import type { PaymentFacts } from '../providers/canonical-event';
import { recordHappening } from '../subscriptions/subscription-history-store';
import type { ConnectionRef } from '../webhooks/connection-ref';
import type { CheckoutRow } from './checkout-store';
import { saveCheckout } from './checkout-write-store';

/** What a provider said of a payment, under way in one open transaction. */
export interface PaidWork {
  trx: Transaction;
  connection: ConnectionRef;
  /** The workspace's time. */
  now: Instant;
  /** Real time. */
  recordedAt: Instant;
}

/**
 * Says, once, that a checkout was paid at its provider after it had ended here: nothing begins, what was paid is on
 * record, and an event with status `ERROR` asks for a decision.
 *
 * @param row locked, `expired`
 */
export async function recordPaidLate(
  { trx, connection, now, recordedAt }: PaidWork,
  row: CheckoutRow,
  payment: PaymentFacts | null,
): Promise<void> {
  const { scope, provider } = connection;
  const { id: checkoutId, subscriptionId, customerId, externalId } = row;
  const what = payment === null ? 'what it asked for' : moneyInWords(payment);
  const offered = planInWords({ planSlug: row.planSlug ?? row.description ?? '', seats: row.seats ?? 1 });
  const failure = `${externalId} paid ${what} for ${offered} after the checkout had ended.`;
  const completedAt = row.completedAt ?? now;
  await saveCheckout(trx, scope, checkoutId, { nextWakeAt: null, failure, completedAt }, now);
  if (row.completedAt !== null) return;
  const fix =
    subscriptionId === null
      ? 'Refund the payment, or serve the customer.'
      : 'Nothing was started: cancel the subscription at the payment provider, and refund the payment.';
  const data = { checkoutId, provider, connectionId: connection.id, customerId, externalId };
  const message = `${failure} ${fix}`;
  const event = { status: 'ERROR', message, source: 'billing', data } as const;
  if (subscriptionId === null) {
    await recordDeveloperEvent(trx, scope, { ...event, type: 'PAYMENT_RECORDED' }, recordedAt);
    return;
  }
  const happening = {
    ...event,
    subscriptionId,
    kind: 'activation_refused',
    type: 'SUBSCRIPTION_CREATED',
  } as const;
  await recordHappening(trx, scope, happening, { happenedAt: now, recordedAt });
}
