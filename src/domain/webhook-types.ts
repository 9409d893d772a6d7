/** The resource that a message is about; `resource.type` in its payload. */
export const WEBHOOK_RESOURCES = [
  'subscription',
  'checkout',
  'payment',
  'refund',
  'customer',
  'operation',
  'webhook_endpoint',
] as const;
export type WebhookResource = (typeof WEBHOOK_RESOURCES)[number];

/** Content of `data`: the resource itself, or the developer event that reports it. */
export type WebhookData = Exclude<WebhookResource, 'customer'> | 'event';

interface Described {
  resource: WebhookResource;
  data: WebhookData;
  /** A sentence for the catalogue: when it is sent. */
  sent: string;
}

const about = <Resource extends Exclude<WebhookResource, 'customer'>>(resource: Resource, sent: string) => ({
  resource,
  data: resource,
  sent,
});

/** A type whose data is a developer event, because no resource of the API contains the information. */
const event = <Resource extends WebhookResource>(resource: Resource, sent: string) => ({
  resource,
  data: 'event' as const,
  sent,
});

/** Message types sent to integrators. The list is closed because endpoints choose from it. */
const TYPES = {
  'subscription.created': about(
    'subscription',
    'A subscription began: it was opened, or its checkout was paid.',
  ),
  'subscription.changed': about(
    'subscription',
    'Its plan, seats, end or scheduled change has changed, its trial ended, or it is no longer past due.',
  ),
  'subscription.past_due': about(
    'subscription',
    'A payment is past due, or the provider could not collect it.',
  ),
  'subscription.renewed': about('subscription', 'The next period began.'),
  'subscription.cancelled': about('subscription', 'It was cancelled and has ended.'),
  'subscription.expired': about('subscription', 'It stayed unpaid and has ended.'),
  'approval.needed': about(
    'subscription',
    'The customer has been asked to approve a change at the provider.',
  ),
  'approval.given': about('subscription', 'The customer approved the change.'),
  'approval.expired': about('subscription', 'The customer did not approve the change in time.'),
  'drift.found': event(
    'subscription',
    'The subscription differs from the one at its provider, in a way not reported before.',
  ),
  'checkout.completed': about(
    'checkout',
    'A checkout was paid, or nothing was due. `subscription.created` reports whether its subscription began.',
  ),
  'checkout.expired': about('checkout', 'A checkout can no longer be paid.'),
  'payment.succeeded': about(
    'payment',
    'A payment was received. Sent again if another customer turns out to have paid it.',
  ),
  'payment.pending': about('payment', 'A payment is being processed by the provider.'),
  'payment.failed': about('payment', 'The provider could not collect a payment.'),
  'dispute.opened': about('payment', 'The customer disputes the payment.'),
  'dispute.won': about('payment', 'The dispute of the payment was won.'),
  'dispute.lost': about(
    'payment',
    'The dispute of the payment was lost; the amount taken is recorded as a refund.',
  ),
  'refund.pending': about(
    'refund',
    'A refund is pending: the provider is processing it, has not confirmed it yet, or waits for somebody to act (`waitingFor`).',
  ),
  'refund.succeeded': about('refund', 'A refund was completed, or money was taken by a lost dispute.'),
  'refund.failed': about('refund', 'A refund failed, or its money came back.'),
  'usage.threshold_reached': event(
    'customer',
    'The customer’s usage has reached a notified percentage of a quota.',
  ),
  'credits.low': event('customer', 'The customer’s credits are running low.'),
  'operation.concluded': about(
    'operation',
    'A command has ended: it succeeded, was refused, or was abandoned. Sent again if the command is retried after that.',
  ),
  'webhook_endpoint.disabled': about(
    'webhook_endpoint',
    'An endpoint was disabled because every attempt failed for too long, or because it answered 410 Gone.',
  ),
  'webhook_endpoint.test': about('webhook_endpoint', 'An operator or a key asked for a test.'),
} as const satisfies Record<string, Described>;

export type WebhookType = keyof typeof TYPES;

export const WEBHOOK_TYPES = Object.keys(TYPES) as [WebhookType, ...WebhookType[]];

/** Returns the resource of a type, the content of its `data`, and when it is sent. */
export function webhookTypeOf(type: WebhookType): Described {
  return TYPES[type];
}

export function isWebhookType(text: string): text is WebhookType {
  return Object.hasOwn(TYPES, text);
}
