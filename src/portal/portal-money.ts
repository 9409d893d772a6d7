import type { CheckoutResource } from '../checkouts/checkout-resource';
import type { PaymentResource } from '../payments/payment-resource';
import type { RefundResource } from '../payments/refund-resource';
import { toMoney } from '../schemas/money';
import type { TransactionResource } from '../subscriptions/transaction-resource';
import type { PortalView } from './portal-view-schema';

/** Converts a transaction for its customer. */
export function toPortalTransaction(transaction: TransactionResource): PortalView['transactions'][number] {
  const { id, kind, status, total, taxAmount, amountOpen, dueAt, createdAt, lines } = transaction;
  return {
    id,
    kind,
    status,
    total,
    taxAmount,
    open: amountOpen,
    dueAt,
    createdAt,
    lines: lines.map(({ description, amount }) => ({ description, amount })),
  };
}

/**
 * Converts a payment for its customer, without the provider's ids.
 *
 * @param pending the customer's pending refunds, read after the payment: one of them may not be counted in it yet
 */
export function toPortalPayment(
  payment: PaymentResource,
  pending: readonly RefundResource[],
): PortalView['payments'][number] {
  const { id, status, amount, refundedAmount, receivedAt } = payment;
  const all = BigInt(refundedAmount.amount);
  const open = pending
    .filter(({ paymentId }) => paymentId === id)
    .reduce((sum, refund) => sum + BigInt(refund.amount.amount), 0n);
  const beingRefunded = open < all ? open : all;
  const money = (minor: bigint) => toMoney(minor, amount.currency);
  return {
    id,
    status,
    amount,
    refunded: money(all - beingRefunded),
    beingRefunded: money(beingRefunded),
    receivedAt,
  };
}

/** Returns the one-time amounts that can be paid at a provider. */
export function toOpenPayments(open: readonly CheckoutResource[]): PortalView['openPayments'] {
  return open.flatMap(({ id, description, amount, url, expiresAt }) =>
    amount === null || url === null ? [] : [{ id, description: description ?? '', amount, url, expiresAt }],
  );
}
