/** What integrators are told by outgoing webhooks. The list is closed: it is what an endpoint may choose from. */
export const WEBHOOK_TYPES = [
  'subscription.created',
  'subscription.changed',
  'subscription.past_due',
  'subscription.cancelled',
  'subscription.renewed',
  'subscription.expired',
  'checkout.completed',
  'checkout.expired',
  'payment.recorded',
  'refund.recorded',
  'dispute.recorded',
  'approval.needed',
  'approval.given',
  'approval.expired',
  'usage.threshold_reached',
  'credits.low',
  'drift.found',
  'operation.concluded',
  'webhook_endpoint.disabled',
  'webhook_endpoint.test',
] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];
