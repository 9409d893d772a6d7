import { hasEnded } from '../../domain/subscription-types';
import { ZodError } from 'zod';
import { MalformedEventError, type CanonicalEvent, type CanonicalEventType } from '../canonical-event';
import { boundEvent } from '../event-bounds';
import { disputeFacts } from './dispute-facts';
import { invoiceFacts } from './invoice-facts';
import { checkoutFacts, paymentIntentFacts } from './payment-facts';
import { referencesOf } from './event-references';
import { refundFacts, refundOfCharge } from './refund-facts';
import { subscriptionOfEvent } from './subscription-facts';
import { eventWire, type EventWire } from './schemas';

type Meaning = Pick<CanonicalEvent, 'type' | 'subscription' | 'payment' | 'refund' | 'dispute'>;

/**
 * Translates an event of provider A into the service's terms. An unknown event is `ignored`, with its references if
 * they can be read.
 *
 * @throws MalformedEventError when the bytes are not an event, or a known event lacks required fields
 */
export function readEvent(raw: Buffer): CanonicalEvent {
  const event = parseEvent(raw);
  const object = event.data?.object ?? undefined;
  try {
    const meaning = object === undefined ? { type: 'ignored' as const } : meaningOf(event, object);
    return {
      ...withoutUndefined(meaning),
      eventType: event.type,
      dedupeKey: event.id,
      occurredAt: event.created,
      environment: environmentOf(event.livemode),
      references: object === undefined ? [] : referencesOfEvent(object, meaning.type),
      ...(event.account && { account: event.account }),
    };
  } catch (error) {
    if (error instanceof ZodError || error instanceof RangeError) {
      throw new MalformedEventError(`The object of ${event.type} is not what it says it is.`, {
        cause: error,
      });
    }
    throw error;
  }
}

/** An ignored event may have any shape: an upcoming invoice has no id. */
function referencesOfEvent(
  object: Parameters<typeof referencesOf>[0],
  meaning: MaybeMeaning['type'],
): CanonicalEvent['references'] {
  try {
    return referencesOf(object);
  } catch (error) {
    if (meaning === 'ignored' && error instanceof ZodError) return [];
    throw error;
  }
}

function parseEvent(raw: Buffer): EventWire {
  boundEvent(raw);
  try {
    return eventWire.parse(JSON.parse(raw.toString('utf8')));
  } catch (error) {
    throw new MalformedEventError('The body is not an event of provider A.', { cause: error });
  }
}

function meaningOf(event: EventWire, object: { object: string }): MaybeMeaning {
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
    case 'customer.subscription.pending_update_applied':
    case 'customer.subscription.pending_update_expired': {
      const subscription = subscriptionOfEvent(object);
      const { status, cancelAtPeriodEnd } = subscription;
      if (hasEnded(status)) return { type: 'subscription.ended', subscription };
      return { type: cancelAtPeriodEnd ? 'subscription.not_renewing' : 'subscription.changed', subscription };
    }
    case 'customer.subscription.deleted':
      return { type: 'subscription.ended', subscription: subscriptionOfEvent(object) };
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return { type: 'checkout.completed', payment: checkoutFacts(object) };
    case 'checkout.session.async_payment_failed':
      return failed('payment.failed', checkoutFacts(object));
    case 'checkout.session.expired':
      return { type: 'checkout.expired' };
    case 'invoice.paid':
      return { type: 'invoice.paid', payment: invoiceFacts(object) };
    case 'invoice.payment_failed':
    case 'invoice.payment_action_required':
      return failed('invoice.failed', invoiceFacts(object));
    case 'payment_intent.succeeded':
      return { type: 'payment.succeeded', payment: paidNow(paymentIntentFacts(object), event) };
    case 'payment_intent.payment_failed':
      return failed('payment.failed', paymentIntentFacts(object));
    case 'charge.refunded':
      return {
        type: 'refund.changed',
        refund: refundOfCharge(object, event.data?.previous_attributes?.['amount_refunded']),
      };
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    // The name before `refund.updated`, for some payment methods.
    case 'charge.refund.updated':
      return { type: 'refund.changed', refund: refundFacts(object) };
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return { type: 'dispute.changed', dispute: disputeFacts(object) };
    // The fees are in its balance transactions, which are fetched.
    case 'payout.paid':
    case 'payout.failed':
    case 'payout.canceled':
    case 'payout.reconciliation_completed':
      return { type: 'settlement.ready' };
    default:
      return { type: 'ignored' };
  }
}

type MaybeMeaning = { [K in keyof Meaning]: Meaning[K] | undefined } & { type: CanonicalEventType };

function failed(type: CanonicalEventType, payment: CanonicalEvent['payment']): MaybeMeaning {
  return { type, payment: payment && { ...payment, status: 'failed' } };
}

/** A payment does not say when it was paid, only when it was first tried. */
function paidNow(
  payment: CanonicalEvent['payment'],
  { created: paidAt }: EventWire,
): CanonicalEvent['payment'] {
  return payment && { ...payment, paidAt };
}

function environmentOf(livemode: boolean | null | undefined): CanonicalEvent['environment'] {
  if (livemode === undefined || livemode === null) return null;
  return livemode ? 'production' : 'sandbox';
}

function withoutUndefined({ type, subscription, payment, refund, dispute }: MaybeMeaning): Meaning {
  return {
    type,
    ...(subscription && { subscription }),
    ...(payment && { payment }),
    ...(refund && { refund }),
    ...(dispute && { dispute }),
  };
}
