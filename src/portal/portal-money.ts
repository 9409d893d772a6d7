import type { CheckoutResource } from '../checkouts/checkout-resource';
import type { PaymentResource } from '../payments/payment-resource';
import type { TransactionResource } from '../subscriptions/transaction-resource';
import type { PortalView } from './portal-view-schema';

/** A transaction as its customer sees it. */
export function toPortalTransaction(transaction: TransactionResource): PortalView['transactions'][number] {
  const { id, kind, status, total, taxAmount, amountOpen, dueAt, createdAt, lines } = transaction;
  return {
    ...{ id, kind, status, total, taxAmount, open: amountOpen, dueAt, createdAt },
    lines: lines.map(({ description, amount }) => ({ description, amount })),
  };
}

/** A payment as its customer sees it, without the provider's names of it. */
export function toPortalPayment(payment: PaymentResource): PortalView['payments'][number] {
  const { id, status, amount, refundedAmount, receivedAt } = payment;
  return { id, status, amount, refunded: refundedAmount, receivedAt };
}

/** Amounts that are taken once and can be paid at a provider. */
export function toOpenPayments(open: readonly CheckoutResource[]): PortalView['openPayments'] {
  return open.flatMap(({ id, description, amount, url, expiresAt }) =>
    amount === null || url === null ? [] : [{ id, description: description ?? '', amount, url, expiresAt }],
  );
}
