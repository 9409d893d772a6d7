import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { BilledSubscription } from '../subscriptions/billed-subscription';
import type { TransactionRow } from '../subscriptions/transaction-store';
import type { PaymentInput } from './payment-input';
import type { PaymentRow } from './payment-store';

/**
 * Refuses a payment that cannot be recorded manually.
 *
 * @param now the workspace's time
 * @throws TollgateError capability_unsupported, payment_currency_differs, validation_failed (`/receivedAt`)
 */
export function requirePaymentHere(
  subscription: BilledSubscription,
  transaction: TransactionRow,
  input: PaymentInput,
  now: Instant,
): void {
  if (subscription.provider !== 'internal') throw providerCollects();
  if (input.amount.currency !== transaction.currency) {
    throw new TollgateError(
      'payment_currency_differs',
      `The transaction is in ${transaction.currency}, and the payment in ${input.amount.currency}.`,
    );
  }
  requireReceived(input.receivedAt, now);
}

/**
 * Refuses a payment dated in the future.
 *
 * @param now the workspace's time
 * @throws TollgateError validation_failed (`/receivedAt`)
 */
export function requireReceived(receivedAt: Instant | null, now: Instant): void {
  if (receivedAt !== null && receivedAt > now) {
    const message = 'is after the workspace’s current time';
    throw new TollgateError('validation_failed', `/receivedAt: ${message}`, {
      errors: [{ pointer: '/receivedAt', message, fix: 'Send when the money came in, or leave it out.' }],
    });
  }
}

/** Returns the refusal of a payment that a provider collects. */
export function providerCollects(of: 'subscription' | 'checkout' = 'subscription'): TollgateError {
  const reason = `The payment provider collects and reports the payments of this ${of}.`;
  return new TollgateError('capability_unsupported', reason, {
    extra: {
      capability: {
        name: 'recordPayment',
        supported: false,
        available: false,
        timing: null,
        reason,
        reasonCode: 'provider_collects',
      },
    },
  });
}

export function transactionNotFound(id: string): TollgateError {
  return new TollgateError('transaction_not_found', `There is no transaction "${id}" in this environment.`);
}

/** @throws TollgateError payment_not_found */
export function requirePayment<Row extends PaymentRow>(payment: Row | undefined, id: string): Row {
  if (payment !== undefined) return payment;
  throw new TollgateError('payment_not_found', `There is no payment "${id}" in this environment.`);
}
