import type { Instant } from '../../domain/instant';
import type {
  CanonicalEventType,
  DisputeFacts,
  PaymentFacts,
  RefundFacts,
  SubscriptionFacts,
} from '../canonical-event';
import { minorUnits } from './amounts';
import { disputeFacts, disputeTime } from './dispute-facts';
import { originOf } from './payment-origin';
import { subscriptionFacts } from './subscription-facts';
import { needsOf, refundStatus } from './refund-facts';
import {
  instantOf,
  isFailedInvoice,
  isPaid,
  objectOf,
  referenceOf,
  textOf,
  type LooseObject,
} from './values';

/** The content of an event, in addition to its name and its references. */
interface Reading {
  type: CanonicalEventType;
  occurredAt?: Instant | null;
  subscription?: SubscriptionFacts | undefined;
  payment?: PaymentFacts | undefined;
  refund?: RefundFacts | undefined;
  dispute?: DisputeFacts | undefined;
}

/** Reads `data` according to the event's name. */
export function readData(eventType: string, data: LooseObject): Reading {
  switch (eventType) {
    case 'subscription.create':
      return {
        type: 'subscription.changed',
        occurredAt: instantOf(data['createdAt']) ?? instantOf(data['created_at']),
        subscription: readSubscription(data),
      };
    case 'subscription.not_renew':
      return { type: 'subscription.not_renewing', subscription: readSubscription(data) };
    case 'subscription.disable':
      return readDisable(data);
    case 'charge.success':
      return {
        type: 'payment.succeeded',
        occurredAt: instantOf(data['paid_at']),
        payment: readPayment(data, 'succeeded'),
      };
    case 'charge.failed':
      return { type: 'payment.failed', payment: readPayment(data, 'failed') };
    case 'invoice.payment_failed':
      return { type: 'invoice.failed' };
    case 'invoice.update':
      return readInvoiceUpdate(data);
    case 'refund.pending':
    case 'refund.processing':
    case 'refund.processed':
    case 'refund.failed':
    case 'refund.needs-attention':
      return { type: 'refund.changed', refund: readRefund(eventType, data) };
    case 'charge.dispute.create':
    case 'charge.dispute.remind':
    case 'charge.dispute.resolve':
      return { type: 'dispute.changed', occurredAt: disputeTime(data), dispute: disputeFacts(data) };
    default:
      // Includes `invoice.create`: it announces a charge, whose result comes in the charge's own events.
      return { type: 'ignored' };
  }
}

function readSubscription(data: LooseObject, fallbackStatus = ''): SubscriptionFacts | undefined {
  const code = referenceOf(data['subscription_code']);
  if (code === null) return undefined;
  return subscriptionFacts({
    code,
    status: textOf(data['status']) ?? fallbackStatus,
    nextPaymentDate: instantOf(data['next_payment_date']),
    createdAt: null,
    hasInvoice: false,
    lastPeriodStart: null,
    lastChargeFailed: false,
    lastInvoice: null,
    planCode: referenceOf(objectOf(data['plan'])['plan_code']),
    customerCode: referenceOf(objectOf(data['customer'])['customer_code']),
    quantity: null,
    unitAmount: minorUnits(data['amount'], objectOf(data['plan'])['currency'])?.toString() ?? null,
  });
}

/** Reads a disable event, sent at the end. If it says the subscription still runs, it is not the end. */
function readDisable(data: LooseObject): Reading {
  const facts = readSubscription(data, 'cancelled');
  const isRunning = facts !== undefined && facts.status !== 'cancelled';
  return {
    type: isRunning ? 'subscription.not_renewing' : 'subscription.ended',
    subscription: facts,
  };
}

/**
 * Reads the invoice's final state. A failed invoice was already reported by `invoice.payment_failed`, when the provider
 * may still have called it pending, so it is read once more.
 */
function readInvoiceUpdate(data: LooseObject): Reading {
  if (isFailedInvoice(data['status'])) return { type: 'subscription.changed' };
  if (!isPaid(data['paid']) || data['status'] !== 'success') return { type: 'ignored' };
  const payment = readPayment(objectOf(data['transaction']), 'succeeded');
  const occurredAt = instantOf(data['paid_at']);
  if (payment === undefined) return { type: 'invoice.paid', occurredAt };
  return {
    type: 'invoice.paid',
    occurredAt,
    payment: {
      ...payment,
      occurredAt,
      invoiceReference: referenceOf(data['invoice_code']),
      subscriptionReference: referenceOf(objectOf(data['subscription'])['subscription_code']),
    },
  };
}

function readPayment(transaction: LooseObject, status: PaymentFacts['status']): PaymentFacts | undefined {
  const reference = referenceOf(transaction['reference']);
  const currency = textOf(transaction['currency']);
  const amount = minorUnits(transaction['amount'], currency);
  if (reference === null || currency === null || amount === null) return undefined;
  return {
    reference,
    kind: 'payment',
    amount,
    currency,
    status,
    // A charge never names a subscription, not even for a renewal.
    subscriptionReference: null,
    invoiceReference: null,
    occurredAt: instantOf(transaction['paid_at']),
    ...originOf(transaction),
  };
}

function readRefund(eventType: string, data: LooseObject): RefundFacts | undefined {
  const payment = referenceOf(data['transaction_reference']);
  const currency = textOf(data['currency']);
  const amount = minorUnits(data['amount'], currency);
  const reported = textOf(data['status']) ?? eventType.slice('refund.'.length);
  const status = refundStatus(reported);
  if (payment === null || currency === null || amount === null || status === undefined) return undefined;
  return {
    // `refund_reference` is the bank's and initially null; only the id can be queried.
    reference: referenceOf(data['id']),
    of: { kind: 'payment', reference: payment },
    amount,
    currency,
    status,
    ...needsOf(reported),
    totalRefunded: null,
  };
}
