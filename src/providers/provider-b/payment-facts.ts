import type { z } from 'zod';
import type { PaymentFacts } from '../canonical-event';
import type { captureObject, orderObject, saleObject, subscriptionTransactions } from './schemas';
type Capture = z.infer<typeof captureObject>;
type Order = z.infer<typeof orderObject>;
type Transaction = NonNullable<z.infer<typeof subscriptionTransactions>['transactions']>[number];
type Sale = z.infer<typeof saleObject>;
const CAPTURE_STATUS = {
  COMPLETED: 'succeeded',
  PARTIALLY_REFUNDED: 'succeeded',
  REFUNDED: 'succeeded',
  REVERSED: 'succeeded',
  PENDING: 'pending',
  DECLINED: 'failed',
  DENIED: 'failed',
  FAILED: 'failed',
} as const;

export function captureFacts(capture: Capture): PaymentFacts {
  return {
    reference: capture.id,
    kind: 'capture',
    ...capture.amount,
    status: CAPTURE_STATUS[capture.status],
    subscriptionReference: null,
    invoiceReference: null,
    occurredAt: capture.create_time ?? null,
  };
}

/**
 * Returns the capture of an order: the successful one, otherwise the pending one, otherwise the last one tried. Without
 * any capture the facts are those of the order itself, and no money has moved.
 */
export function orderFacts(order: Order): PaymentFacts {
  const captures = order.purchase_units.flatMap((unit) => unit.payments?.captures ?? []).map(captureFacts);
  const capture =
    captures.find((c) => c.status === 'succeeded') ??
    captures.find((c) => c.status === 'pending') ??
    captures.at(-1);
  if (capture !== undefined) return capture;
  return {
    reference: order.id,
    kind: 'order',
    amount: order.purchase_units.reduce((sum, unit) => sum + unit.amount.amount, 0n),
    currency: order.purchase_units[0].amount.currency,
    status: order.status === 'VOIDED' ? 'failed' : 'pending',
    subscriptionReference: null,
    invoiceReference: null,
    occurredAt: order.create_time ?? null,
  };
}

const SALE_STATUS = {
  completed: 'succeeded',
  partially_refunded: 'succeeded',
  refunded: 'succeeded',
  reversed: 'succeeded',
  pending: 'pending',
  denied: 'failed',
} as const;

export function saleFacts(sale: Sale): PaymentFacts {
  return {
    reference: sale.id,
    kind: 'payment',
    ...sale.amount,
    status: SALE_STATUS[sale.state],
    subscriptionReference: sale.billing_agreement_id ?? null,
    invoiceReference: null,
    occurredAt: sale.create_time ?? null,
  };
}

/** The list of a subscription's payments has the statuses of captures. */
const TRANSACTION_STATUS: ReadonlyMap<string, PaymentFacts['status']> = new Map(
  Object.entries(CAPTURE_STATUS),
);

/** Translates a subscription payment from the list of its payments. Undefined if its status is unknown. */
export function transactionFacts(transaction: Transaction, subscription: string): PaymentFacts | undefined {
  const status = TRANSACTION_STATUS.get(transaction.status);
  if (status === undefined) return undefined;
  return {
    reference: transaction.id,
    kind: 'payment',
    ...transaction.amount_with_breakdown.gross_amount,
    status,
    subscriptionReference: subscription,
    invoiceReference: null,
    occurredAt: transaction.time,
  };
}
