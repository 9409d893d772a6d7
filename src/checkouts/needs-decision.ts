import type { ConnectionRef } from '../connections/connection-ref';
import type { DbTransaction } from '../db/pools';
import type { Times } from '../clock/times';
import { displayMoney, displayPlan } from '../domain/display-text';
import type { PaymentFacts } from '../providers/canonical-event';
import { recordBillingEvent } from '../subscriptions/subscription-history-store';
import type { CheckoutRow } from './checkout-store';
import { saveCheckout } from './checkout-write-store';
import { endCheckout } from './end-checkout';

/** The open transaction in which a provider's payment is processed. */
export interface PaymentContext extends Times {
  trx: DbTransaction;
  connection: ConnectionRef;
}

/**
 * Reports, once, that a checkout was completed at its provider after it had ended here. Nothing starts, a payment stays
 * on record, and an event with status `ERROR` asks for a decision.
 *
 * @param row locked, `expired`
 */
export async function recordLatePayment(
  work: PaymentContext,
  row: CheckoutRow,
  payment: PaymentFacts | null,
): Promise<void> {
  const { trx, connection, now } = work;
  if (row.completedAt !== null) {
    await saveCheckout(trx, connection.scope, row.id, { nextWakeAt: null }, now);
    return;
  }
  const offered = offeredInWords(row);
  // Before a trial nothing is paid, and a bank may still have the payment.
  const failure =
    payment?.status === 'succeeded'
      ? `${row.externalId} paid ${displayMoney(payment)} for ${offered} after the checkout had ended.`
      : `${row.externalId} completed the checkout of ${offered} after it had ended.`;
  await saveCheckout(trx, connection.scope, row.id, { nextWakeAt: null, failure, completedAt: now }, now);
  const fix =
    row.subscriptionId === null
      ? 'Refund the payment, or serve the customer.'
      : 'No subscription was started. Cancel the subscription at the payment provider, and refund what was paid.';
  await recordNeedsDecision(work, row, `${failure} ${fix}`);
}

/**
 * Ends a checkout that was paid with less than it asked for, or in another currency, because nothing may be delivered
 * for that automatically. The payment stays on record, and an event with status `ERROR` asks for a decision.
 *
 * @param row locked, `open`, with a one-time amount
 */
export async function endPaidOtherwise(
  work: PaymentContext,
  row: CheckoutRow,
  payment: PaymentFacts,
): Promise<void> {
  const { trx, connection, now, recordedAt } = work;
  const { scope } = connection;
  await endCheckout(trx, scope, row, { why: 'nothing_began', at: now, recordedAt, source: 'billing' });
  const price = displayMoney({ amount: BigInt(row.amount ?? 0), currency: row.currency });
  const failure = `${row.externalId} paid ${displayMoney(payment)} for ${offeredInWords(row)}, which costs ${price}.`;
  await saveCheckout(trx, scope, row.id, { nextWakeAt: null, failure, completedAt: now }, now);
  await recordNeedsDecision(work, row, `${failure} Refund the payment, or serve the customer.`);
}

/** Records the event with status `ERROR` about a checkout, and the entry in its subscription's history. */
export async function recordNeedsDecision(
  { trx, connection, now, recordedAt }: PaymentContext,
  { id: checkoutId, subscriptionId, customerId, externalId }: CheckoutRow,
  message: string,
): Promise<void> {
  const { scope, provider } = connection;
  const data = { checkoutId, provider, connectionId: connection.id, customerId, externalId };
  const type = subscriptionId === null ? 'PAYMENT_RECORDED' : 'SUBSCRIPTION_CREATED';
  const event = { type, status: 'ERROR', message, source: 'billing', data } as const;
  const entry = { ...event, subscriptionId, kind: 'activation_refused' as const };
  await recordBillingEvent(trx, scope, entry, { happenedAt: now, recordedAt });
}

/** Returns the offer in words: the plan, or the description of a one-time amount. */
export function offeredInWords({ planSlug, description, seats }: CheckoutRow): string {
  return displayPlan({ planSlug: planSlug ?? description ?? '', seats: seats ?? 1 });
}

/**
 * Ends a checkout that its customer has completed at the provider, but that has had no result for so long that none is
 * expected without action. The provider is no longer polled, and an event with status `ERROR` asks for a decision. A
 * webhook about it still causes a poll.
 *
 * @param row locked
 */
export async function endUnresolved(
  work: PaymentContext,
  row: CheckoutRow,
  payment: PaymentFacts | null,
): Promise<void> {
  const { trx, connection, now, recordedAt } = work;
  const { scope } = connection;
  const failure = failureOf(row, payment);
  if (row.status !== 'open') {
    // An answer after a silence has cleared the reason.
    await saveCheckout(trx, scope, row.id, { nextWakeAt: null, failure }, now);
    return;
  }
  await endCheckout(trx, scope, row, { why: 'nothing_began', at: now, recordedAt, source: 'billing' });
  // A payment that is already recorded is not reported again.
  const completion = payment?.status === 'succeeded' ? { completedAt: now } : {};
  await saveCheckout(trx, scope, row.id, { nextWakeAt: null, failure, ...completion }, now);
  await recordNeedsDecision(work, row, `${failure} ${FIX}`);
}

const FIX =
  'Look it up at the payment provider. Refund what was paid, and cancel the subscription if one began there.';

function failureOf(row: CheckoutRow, payment: PaymentFacts | null): string {
  const offered = offeredInWords(row);
  return payment?.status === 'succeeded'
    ? `${row.externalId} paid ${displayMoney(payment)} for ${offered}, and the payment provider does not report what the payment started.`
    : `${row.externalId} completed the checkout of ${offered}, but the payment provider does not report whether it was paid.`;
}
