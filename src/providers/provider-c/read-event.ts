import type { Environment } from '../../domain/environment';
import type { Instant } from '../../domain/instant';
import {
  MalformedEventError,
  type CanonicalEvent,
  type CanonicalEventType,
  type DisputeFacts,
  type PaymentFacts,
  type RefundFacts,
  type SubscriptionFacts,
} from '../canonical-event';
import { boundEvent } from '../event-bounds';
import { minorUnits } from './amounts';
import { dedupeKey } from './dedupe-key';
import { referencesOf } from './event-references';
import { disputeFacts, disputeTime } from './dispute-facts';
import { subscriptionFacts } from './subscription-facts';
import { refundStatus } from './refund-facts';
import { instantOf, isObject, isPaid, objectOf, referenceOf, textOf, type LooseObject } from './values';

const EVENT_NAME = /^[\x21-\x7e]{1,100}$/;

/** What an event of one kind says, beside its name and its references. */
interface Reading {
  type: CanonicalEventType;
  occurredAt?: Instant | null;
  subscription?: SubscriptionFacts | undefined;
  payment?: PaymentFacts | undefined;
  refund?: RefundFacts | undefined;
  dispute?: DisputeFacts | undefined;
}

/**
 * Provider C's webhook in the service's words: `{ event, data }`. Reads the types as they really come (amounts as text,
 * `paid` as 1, transactions as `{}`, metadata as anything), and takes nothing for a period's end that is not one.
 *
 * @throws MalformedEventError when the bytes are no JSON object with a name
 */
export function readEvent(raw: Buffer): CanonicalEvent {
  const body = parse(raw);
  const eventType = textOf(body['event']);
  if (eventType === null || !EVENT_NAME.test(eventType)) {
    throw new MalformedEventError('The event has no name.');
  }
  // A list is what `subscription.expiring_cards` brings; no kind that is read has one.
  const data = objectOf(body['data']);
  const environment = environmentOf(data['domain']);
  const references = referencesOf(eventType, data);
  const account = referenceOf(data['integration']);
  const { type, occurredAt = null, subscription, payment, refund, dispute } = read(eventType, data);
  // Of what cannot be named, only the bytes say whether it has come before.
  const isNamed = references.some(({ kind }) => kind !== 'customer');
  const state =
    type === 'ignored' || !isNamed
      ? raw.toString('base64')
      : [data['status'], data['paid'], data['next_payment_date'], data['amount'], data['refund_reference']];
  return {
    type,
    eventType,
    dedupeKey: dedupeKey([eventType, environment, references, state]),
    occurredAt,
    environment,
    references,
    ...(account !== null && { account }),
    ...(subscription && { subscription }),
    ...(payment && { payment }),
    ...(refund && { refund }),
    ...(dispute && { dispute }),
  };
}

function read(eventType: string, data: LooseObject): Reading {
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
      // `invoice.create` too: it announces a charge, whatever it says of one, and the charge has events of its own.
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
    lastPeriodStart: null,
    lastChargeFailed: false,
    planCode: referenceOf(objectOf(data['plan'])['plan_code']),
    customerCode: referenceOf(objectOf(data['customer'])['customer_code']),
    quantity: null,
  });
}

/** Sent when it ended; one that says it still runs to its boundary is not taken for the end. */
function readDisable(data: LooseObject): Reading {
  const facts = readSubscription(data, 'cancelled');
  const isRunning = facts !== undefined && facts.status !== 'cancelled';
  return {
    type: isRunning ? 'subscription.not_renewing' : 'subscription.ended',
    subscription: facts,
  };
}

/**
 * The invoice's final state. `invoice.payment_failed` has told of a failed one, when the provider may still have
 * called it pending: it is read once more.
 */
function readInvoiceUpdate(data: LooseObject): Reading {
  if (data['status'] === 'failed') return { type: 'subscription.changed' };
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
    // A charge names no subscription, not even a renewal's.
    subscriptionReference: null,
    invoiceReference: null,
    occurredAt: instantOf(transaction['paid_at']),
  };
}

function readRefund(eventType: string, data: LooseObject): RefundFacts | undefined {
  const payment = referenceOf(data['transaction_reference']);
  const currency = textOf(data['currency']);
  const amount = minorUnits(data['amount'], currency);
  const status = refundStatus(textOf(data['status']) ?? eventType.slice('refund.'.length));
  if (payment === null || currency === null || amount === null || status === undefined) return undefined;
  return {
    // `refund_reference` is the bank's, and null at first; only the id can be asked for.
    reference: referenceOf(data['id']),
    of: { kind: 'payment', reference: payment },
    amount,
    currency,
    status,
    totalRefunded: null,
  };
}

function environmentOf(domain: unknown): Environment | null {
  if (domain === 'test') return 'sandbox';
  return domain === 'live' ? 'production' : null;
}

function parse(raw: Buffer): LooseObject {
  boundEvent(raw);
  let body: unknown;
  try {
    body = JSON.parse(raw.toString('utf8'));
  } catch {
    throw new MalformedEventError('The body is not JSON.');
  }
  if (!isObject(body)) throw new MalformedEventError('The body is not a JSON object.');
  return body;
}
