import { TollgateError } from './errors';
import type { Money } from './money';
import { displayMoney } from './display-text';
import type { Instant } from './instant';
import type { PaymentStatus } from './payment';
import { OTHER_ACCOUNT_MS } from './provider-work';

/** `pending`: reserved, and counted against its payment, until the provider reports the outcome. */
export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/**
 * What somebody has to do before a provider continues a pending refund, and the sentence that says so. Without it, the
 * refund stays pending forever.
 */
export const REFUND_NEEDS = {
  details:
    'The payment provider needs the bank details of the customer to pay the refund out. Enter them in its dashboard.',
  details_of_customer:
    'The payment provider has asked the customer by e-mail for the bank details to pay the refund out to. It fails if the customer does not answer.',
  balance:
    'The balance at the payment provider is too low for the refund. It is paid out once the balance is enough.',
} as const;
export type RefundNeed = keyof typeof REFUND_NEEDS;

/** Whether the `failure` of a pending refund says that somebody has to act. */
export function isRefundNeed(failure: string | null): boolean {
  return Object.values(REFUND_NEEDS).some((sentence) => sentence === failure);
}

/** `dispute`: what a lost dispute took, which counts like a refund made by the provider. */
export const REFUND_KINDS = ['refund', 'dispute'] as const;
export type RefundKind = (typeof REFUND_KINDS)[number];

/** Inputs for refunding a payment; minor units. */
export interface RefundablePayment {
  id: string;
  status: PaymentStatus;
  currency: string;
  amount: bigint;
  /** Refunds that are pending or have succeeded. A refund made at the provider may exceed what was paid. */
  refundedAmount: bigint;
}

/** Returns how much of a payment can still be refunded. */
export function refundableAmount(payment: Omit<RefundablePayment, 'id' | 'currency'>): bigint {
  if (payment.status !== 'succeeded') return 0n;
  const left = payment.amount - payment.refundedAmount;
  return left > 0n ? left : 0n;
}

/**
 * Returns the amount of a refund.
 *
 * @param requested null: the rest of the payment
 * @throws TollgateError payment_not_refundable, payment_currency_differs, refund_exceeds_payment
 */
export function refundAmount(payment: RefundablePayment, requested: Money | null): bigint {
  if (payment.status !== 'succeeded') {
    throw new TollgateError('payment_not_refundable', `The payment "${payment.id}" is ${payment.status}.`);
  }
  if (requested !== null && requested.currency !== payment.currency) {
    throw new TollgateError(
      'payment_currency_differs',
      `The payment is in ${payment.currency}, and the refund in ${requested.currency}.`,
    );
  }
  const left = refundableAmount(payment);
  const amount = requested?.amount ?? left;
  if (amount > left || left === 0n) {
    const { currency } = payment;
    throw new TollgateError(
      'refund_exceeds_payment',
      `Of the payment "${payment.id}", ${displayMoney({ amount: left, currency })} can still be refunded.`,
    );
  }
  return amount;
}

/**
 * Whether a payment that the provider does not find may be in another account than the one queried. A payment that was
 * collected there does not vanish, but the connection's secrets may have been changed after the refund was first sent.
 * Its absence is then inconclusive about the refund. After a week it counts, so that a permanent move to another
 * account is not held up.
 */
export function mayBePaidElsewhere(requestedAt: Instant, at: Instant): boolean {
  return at < requestedAt + OTHER_ACCOUNT_MS;
}
