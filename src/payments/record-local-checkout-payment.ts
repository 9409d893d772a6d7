import { recordAudit } from '../audit/audit-store';
import { enqueueCheckoutSignal } from '../outbox/enqueue-signal';
import type { CheckoutRow } from '../checkouts/checkout-store';
import { saveCheckout } from '../checkouts/checkout-write-store';
import type { DbTransaction } from '../db/pools';
import { factOfChange, factOfCheckout } from '../domain/announced-facts';
import { TollgateError } from '../domain/errors';
import { displayMoney } from '../domain/display-text';
import { recordDeveloperEvent } from '../events/developer-event-store';
import { newIdentifier } from '../identifiers/identifier';
import { SOURCES } from '../subscriptions/record-command-effect';
import type { Actor } from '../tenancy/actor';
import type { PaymentInput } from './payment-input';
import { providerCollects, requireReceived, requirePayment } from './payment-refusals';
import { findPayment, insertPayment, type PaymentNames, type PaymentRow } from './payment-store';

/** A payment received for a checkout with a one-time amount. */
export type CheckoutPaymentInput = Omit<PaymentInput, 'transactionId'>;

/**
 * Records the payment that completes a local-billing checkout with a one-time amount, in the open transaction.
 *
 * @param checkout its row is locked
 * @throws TollgateError capability_unsupported where a provider collects, checkout_not_open, payment_currency_differs,
 *   validation_failed (`/amount`, `/checkoutId`, `/receivedAt`)
 */
export async function recordCheckoutPayment(
  trx: DbTransaction,
  actor: Actor,
  checkout: CheckoutRow,
  input: CheckoutPaymentInput,
): Promise<PaymentRow & PaymentNames> {
  const { scope, now, receivedAt: recordedAt, reason } = actor;
  requirePayable(actor, checkout, input);
  const { customerId, externalId } = checkout;
  const { amount, currency } = input.amount;
  const id = newIdentifier('payment');
  await insertPayment(trx, scope, {
    id,
    customerId,
    subscriptionId: null,
    transactionId: null,
    checkoutId: checkout.id,
    provider: 'internal',
    status: 'succeeded',
    currency,
    amount,
    appliedAmount: 0n,
    reference: input.reference,
    receivedAt: input.receivedAt ?? now,
    createdAt: now,
  });
  await saveCheckout(
    trx,
    scope,
    checkout.id,
    { status: 'complete', completedAt: now, nextWakeAt: null },
    now,
  );
  await enqueueCheckoutSignal(trx, scope, checkout.id);
  const paid = { paymentId: id, checkoutId: checkout.id, customerId, externalId, currency };
  const data = { ...paid, amount: amount.toString() };
  const what = `${displayMoney(input.amount)} for ${checkout.description ?? checkout.id}`;
  const event = {
    type: 'PAYMENT_RECORDED',
    status: 'OK',
    message: `${externalId} paid ${what}.`,
    data,
  } as const;
  const facts = [
    factOfChange('payment_recorded', { subscriptionId: null, paymentId: id }),
    factOfCheckout(checkout.id, 'complete'),
  ];
  const announces = facts.flatMap((fact) => (fact === null ? [] : [{ ...fact, happenedAt: now }]));
  await recordDeveloperEvent(trx, scope, { ...event, announces, source: SOURCES[reason] }, recordedAt);
  await recordAudit(trx, actor, { action: 'payment.recorded', target: id, detail: data });
  return requirePayment(await findPayment(trx, scope, id, 'read'), id);
}

function requirePayable(
  { now }: Actor,
  checkout: CheckoutRow,
  { amount, receivedAt }: CheckoutPaymentInput,
): void {
  if (checkout.provider !== 'internal') throw providerCollects('checkout');
  if (checkout.kind === 'subscription') {
    const fix = `Send the checkout’s transactionId, ${checkout.transactionId ?? 'which it has none of yet'}.`;
    throw invalid('/checkoutId', 'is a checkout of a plan, whose transaction is paid', fix);
  }
  if (checkout.status !== 'open' || checkout.expiresAt <= now) {
    const how = checkout.status === 'complete' ? 'is paid already' : 'has expired';
    throw new TollgateError('checkout_not_open', `The checkout "${checkout.id}" ${how}. Create a new one.`);
  }
  if (amount.currency !== checkout.currency) {
    throw new TollgateError(
      'payment_currency_differs',
      `The checkout is in ${checkout.currency}, and the payment in ${amount.currency}.`,
    );
  }
  if (amount.amount.toString() !== checkout.amount) {
    const due = `${checkout.amount ?? ''} ${checkout.currency}`;
    throw invalid('/amount/amount', `is not the amount of the checkout, ${due}`, 'Send the full amount.');
  }
  requireReceived(receivedAt, now);
}

function invalid(pointer: string, message: string, fix: string): TollgateError {
  return new TollgateError('validation_failed', `${pointer}: ${message}`, {
    errors: [{ pointer, message, fix }],
  });
}
