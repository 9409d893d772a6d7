import type { z } from 'zod';
import type { PaymentFacts, RefundFacts, SubscriptionFacts } from '../canonical-event';
import type {
  captureObject,
  orderObject,
  refundObject,
  saleObject,
  saleRefundObject,
  subscriptionObject,
  subscriptionTransactions,
} from './objects';

type Subscription = z.infer<typeof subscriptionObject>;
type Capture = z.infer<typeof captureObject>;
type Order = z.infer<typeof orderObject>;
type Transaction = NonNullable<z.infer<typeof subscriptionTransactions>['transactions']>[number];
type Sale = z.infer<typeof saleObject>;
type Refund = z.infer<typeof refundObject>;
type SaleRefund = z.infer<typeof saleRefundObject>;

const SUBSCRIPTION_STATUS = {
  APPROVAL_PENDING: 'incomplete',
  APPROVED: 'incomplete',
  ACTIVE: 'active',
  SUSPENDED: 'past_due',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
} as const;

export function subscriptionFacts(subscription: Subscription): SubscriptionFacts {
  const billing = subscription.billing_info;
  const status = SUBSCRIPTION_STATUS[subscription.status];
  return {
    reference: subscription.id,
    // B calls a subscription active while it tries a failed payment again; the count falls back to 0 once it is paid.
    status: status === 'active' && (billing?.failed_payments_count ?? 0) > 0 ? 'past_due' : status,
    planReference: subscription.plan_id ?? null,
    quantity: subscription.quantity ?? null,
    currentPeriodStart: periodStart(subscription),
    currentPeriodEnd: billing?.next_billing_time ?? null,
    cancelAtPeriodEnd: false,
    customerReference: subscription.subscriber?.payer_id ?? null,
    ...paidLast(subscription),
  };
}

function paidLast({ billing_info: billing }: Subscription): Pick<SubscriptionFacts, 'lastPayment'> {
  const { time, amount } = billing?.last_payment ?? {};
  return time && amount ? { lastPayment: { amount: amount.amount.toString(), at: time } } : {};
}

/**
 * B tells when a subscription began and when the next payment is due, not when the running period began: that is known
 * for the first period only. The time of the last payment is not it, because a payment can come late.
 */
function periodStart({ billing_info: billing, start_time }: Subscription): number | null {
  const cycles = billing?.cycle_executions?.reduce((sum, cycle) => sum + cycle.cycles_completed, 0);
  return cycles !== undefined && cycles <= 1 ? (start_time ?? null) : null;
}

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
 * The capture of an order: the one that succeeded, else the one that is pending, else the last one tried. Without any
 * capture the facts are of the order itself, and no money has moved.
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

/** The payment of a subscription, as the list of its payments has it. */
export function transactionFacts(transaction: Transaction, subscription: string): PaymentFacts {
  return {
    reference: transaction.id,
    kind: 'payment',
    ...transaction.amount_with_breakdown.gross_amount,
    status: CAPTURE_STATUS[transaction.status],
    subscriptionReference: subscription,
    invoiceReference: null,
    occurredAt: transaction.time,
  };
}

const REFUND_STATUS = {
  COMPLETED: 'succeeded',
  PENDING: 'pending',
  FAILED: 'failed',
  CANCELLED: 'failed',
} as const;

export function refundFacts(refund: Refund, capture: string): RefundFacts {
  return {
    reference: refund.id,
    of: { kind: 'capture', reference: capture },
    ...refund.amount,
    status: REFUND_STATUS[refund.status],
    totalRefunded: refund.seller_payable_breakdown?.total_refunded_amount?.amount ?? null,
    ...madeAt(refund),
  };
}

const SALE_REFUND_STATUS = {
  completed: 'succeeded',
  pending: 'pending',
  failed: 'failed',
  cancelled: 'failed',
} as const;

export function saleRefundFacts(refund: SaleRefund): RefundFacts {
  return {
    reference: refund.id,
    of: { kind: 'payment', reference: refund.sale_id },
    ...refund.amount,
    status: SALE_REFUND_STATUS[refund.state],
    totalRefunded: refund.total_refunded_amount?.amount ?? null,
    ...madeAt(refund),
  };
}

function madeAt({ create_time: createdAt }: Pick<Refund, 'create_time'>): Pick<RefundFacts, 'createdAt'> {
  return createdAt === undefined || createdAt === null ? {} : { createdAt };
}
