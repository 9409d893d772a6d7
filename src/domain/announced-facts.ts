import { webhookTypeOf, type WebhookResource, type WebhookType } from './webhook-types';

/** Event that integrators receive. */
export interface AnnouncedFact {
  type: WebhookType;
  resource: { kind: WebhookResource; id: string };
}

/**
 * Changes of a subscription or of money, in the past tense, as histories and events name them, each with the webhook
 * type that integrators receive. Null: integrators need not act on the change, or another message covers it.
 */
const CHANGES = {
  created: 'subscription.created',
  activated: 'subscription.created',
  // The payment and the checkout report what was paid; an operator has to decide.
  activation_refused: null,
  checkout_created: null,
  // The checkout's own message covers it, also if it collects a one-time amount.
  checkout_expired: null,
  checkout_refused: null,
  upgraded: 'subscription.changed',
  downgraded: 'subscription.changed',
  seats_increased: 'subscription.changed',
  seats_decreased: 'subscription.changed',
  upgrade_scheduled: 'subscription.changed',
  downgrade_scheduled: 'subscription.changed',
  seat_increase_scheduled: 'subscription.changed',
  seat_decrease_scheduled: 'subscription.changed',
  scheduled_change_applied: 'subscription.changed',
  scheduled_change_withdrawn: 'subscription.changed',
  scheduled_change_missed: 'subscription.changed',
  change_requested: 'approval.needed',
  change_confirmed: 'approval.given',
  change_confirmed_late: 'approval.given',
  change_request_expired: 'approval.expired',
  // Covered by the message of its operation.
  change_refused: null,
  trial_ended: 'subscription.changed',
  period_turned: 'subscription.renewed',
  became_past_due: 'subscription.past_due',
  recovered: 'subscription.changed',
  cancel_scheduled: 'subscription.changed',
  reactivated: 'subscription.changed',
  cancelled: 'subscription.cancelled',
  expired: 'subscription.expired',
  repaired: 'subscription.changed',
  provider_changed: 'subscription.changed',
  provider_still_bills: null,
  provider_not_read: null,
  renewal_prepared: null,
  renewal_preparation_failed: null,
  drift_found: 'drift.found',
  drift_gone: null,
  payment_recorded: 'payment.succeeded',
  payment_pending: 'payment.pending',
  payment_failed: 'payment.failed',
  dispute_opened: 'dispute.opened',
  dispute_won: 'dispute.won',
  dispute_lost: 'dispute.lost',
  refund_pending: 'refund.pending',
  refund_succeeded: 'refund.succeeded',
  refund_failed: 'refund.failed',
} as const satisfies Record<string, WebhookType | null>;

export type ChangeKind = keyof typeof CHANGES;

/** Ids of what a change concerns. */
export interface ChangedThing {
  subscriptionId: string | null;
  paymentId?: string | undefined;
  refundId?: string | undefined;
}

/** Returns the event that integrators receive of a change; null if there is none. */
export function factOfChange(kind: ChangeKind, thing: ChangedThing): AnnouncedFact | null {
  const type = CHANGES[kind];
  if (type === null) return null;
  const resource = webhookTypeOf(type).resource;
  const id = idOf(resource, thing);
  if (id === null) throw new Error(`A change of the kind ${kind} does not name its ${resource}.`);
  return { type, resource: { kind: resource, id } };
}

function idOf(resource: WebhookResource, thing: ChangedThing): string | null {
  switch (resource) {
    case 'subscription':
      return thing.subscriptionId;
    case 'payment':
      return thing.paymentId ?? null;
    case 'refund':
      return thing.refundId ?? null;
    default:
      return null;
  }
}

/** Returns the event that integrators receive of a usage alert. */
export function factOfAlert(
  type: 'USAGE_THRESHOLD_REACHED' | 'CREDITS_LOW',
  customerId: string,
): AnnouncedFact {
  return {
    type: type === 'CREDITS_LOW' ? 'credits.low' : 'usage.threshold_reached',
    resource: { kind: 'customer', id: customerId },
  };
}

/** Returns the event that integrators receive when a checkout ends. */
export function factOfCheckout(id: string, status: 'complete' | 'expired'): AnnouncedFact {
  const type = status === 'complete' ? 'checkout.completed' : 'checkout.expired';
  return { type, resource: { kind: 'checkout', id } };
}

/** Returns the event that integrators receive when a command ends, whatever its outcome. */
export function factOfOperation(id: string): AnnouncedFact {
  return { type: 'operation.concluded', resource: { kind: 'operation', id } };
}
