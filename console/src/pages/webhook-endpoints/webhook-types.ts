import type { components } from '../../api/schema';

export type WebhookType = NonNullable<components['schemas']['CreateWebhookEndpointRequest']['types']>[number];
/** A test is sent to the tested endpoint whatever types it subscribes to, so it need not be chosen. */
type ChosenType = Exclude<WebhookType, 'webhook_endpoint.test'>;
type Prefix<Type> = Type extends `${infer Word}.${string}` ? Word : never;

/** When each type is sent, as described in the form. */
const WHEN_SENT: Record<ChosenType, string> = {
  'subscription.created': 'It was opened, or its checkout was paid.',
  'subscription.changed': 'Plan, seats, end or scheduled change changed, or it is no longer past due.',
  'subscription.past_due': 'A payment is past due, or could not be collected.',
  'subscription.renewed': 'The next period began.',
  'subscription.cancelled': 'It was cancelled and has ended.',
  'subscription.expired': 'It stayed unpaid and has ended.',
  'drift.found': 'It differs from the one at its provider.',
  'approval.needed': 'The customer has been asked to approve a change at the provider.',
  'approval.given': 'The customer approved it.',
  'approval.expired': 'The customer did not approve it in time.',
  'checkout.completed': 'It was paid, or nothing was due.',
  'checkout.expired': 'It can no longer be paid.',
  'payment.succeeded': 'A payment was received.',
  'payment.pending': 'A payment is being processed by the provider.',
  'payment.failed': 'The provider could not collect it.',
  'dispute.opened': 'The customer disputes the payment.',
  'dispute.won': 'The dispute of the payment was won.',
  'dispute.lost': 'The dispute of the payment was lost.',
  'refund.pending': 'The provider is processing it.',
  'refund.succeeded': 'A refund was completed, or money was taken by a lost dispute.',
  'refund.failed': 'It failed, or the money came back.',
  'usage.threshold_reached': 'A customer’s usage has reached a notified percentage of a quota.',
  'credits.low': 'A customer’s credits are running low.',
  'operation.concluded': 'It succeeded, was refused, or was abandoned.',
  'webhook_endpoint.disabled': 'Its attempts failed for a week, or it answered 410 Gone.',
};

/** Subject of a type, by its first word. */
const ABOUT: Record<Prefix<ChosenType>, string> = {
  subscription: 'Subscriptions',
  drift: 'Subscriptions',
  approval: 'Approvals of changes',
  checkout: 'Checkouts',
  payment: 'Payments and disputes',
  dispute: 'Payments and disputes',
  refund: 'Refunds',
  usage: 'Usage and credits',
  credits: 'Usage and credits',
  operation: 'Commands',
  webhook_endpoint: 'Webhook endpoints',
};

const CHOSEN_TYPES = Object.keys(WHEN_SENT) as ChosenType[];

/** The types that can be chosen, grouped by subject, with when each is sent. */
export const TYPE_GROUPS = [...new Set(Object.values(ABOUT))].map((title) => ({
  title,
  types: CHOSEN_TYPES.filter((type) => ABOUT[type.split('.')[0] as Prefix<ChosenType>] === title).map(
    (type) => ({ type, when: WHEN_SENT[type] }),
  ),
}));

/** Returns those that can be chosen now. An endpoint may also have types of another version. */
export function choosable(types: readonly string[]): ChosenType[] {
  return CHOSEN_TYPES.filter((type) => types.includes(type));
}
