/** Subject of a developer event. The list is closed because `eventType` filters by it. */
export const EVENT_TYPES = [
  'USAGE_CHECKED',
  'USAGE_TRACKED',
  'USAGE_REVERSED',
  'ENTITLEMENT_DENIED',
  'USAGE_THRESHOLD_REACHED',
  'CREDITS_LOW',
  'CHECKOUT_CREATED',
  'SUBSCRIPTION_CREATED',
  'SUBSCRIPTION_CHANGED',
  'WEBHOOK_PROCESSED',
  'PAYMENT_RECORDED',
  'REFUND_RECORDED',
  'SETTLEMENT_RECORDED',
  'CREDENTIALS_CHANGED',
  'PLAN_PRICE_COMPARED',
  'WEBHOOK_ENDPOINT_DISABLED',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Outcome of the event. */
export const EVENT_STATUSES = ['OK', 'DENIED', 'PENDING', 'ERROR'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];
