import type { Overview } from '../../api/resources';

type Attention = Overview['attention'];
type Counted = Exclude<keyof Attention, 'nextApprovalExpiry' | 'webhookEndpointId'>;

/** Maximum number of items counted of each kind. */
export const MAX_COUNTED = 100;

interface AttentionLine {
  of: Counted;
  one: string;
  many: string;
  path: string;
  /** Page of a single item, if it has one. */
  pathOfOne?: (attention: Attention) => string;
}

/** Description of each count, and the page where it is resolved; most urgent first. */
export const ATTENTION_LINES: AttentionLine[] = [
  {
    of: 'webhooksFailed',
    one: 'webhook arrived and could not be applied',
    many: 'webhooks arrived and could not be applied',
    path: '/webhooks?status=failed',
  },
  {
    of: 'webhookEndpoints',
    one: 'webhook endpoint is failing, or was disabled for it',
    many: 'webhook endpoints are failing, or were disabled for it',
    path: '/developer/webhooks',
    pathOfOne: ({ webhookEndpointId }) => `/developer/webhooks/${webhookEndpointId ?? ''}`,
  },
  {
    of: 'providerCalls',
    one: 'subscription has a call to its provider without an outcome',
    many: 'subscriptions have a call to their provider without an outcome',
    path: '/subscriptions?awaiting=provider',
  },
  {
    of: 'preparationsFailed',
    one: 'change could not be prepared for its renewal',
    many: 'changes could not be prepared for their renewal',
    path: '/subscriptions?preparation=failed',
  },
  {
    of: 'commandsOpen',
    one: 'command has had no outcome for a minute',
    many: 'commands have had no outcome for a minute',
    path: '/commands?status=open',
  },
  {
    of: 'connectionTests',
    one: 'connection failed its last test',
    many: 'connections failed their last test',
    path: '/connections',
  },
  {
    of: 'planPrices',
    one: 'connection has a plan at another price than ours',
    many: 'connections have a plan at another price than ours',
    path: '/connections',
  },
  {
    of: 'drift',
    one: 'subscription differs from its provider',
    many: 'subscriptions differ from their provider',
    path: '/subscriptions?drift=found',
  },
  {
    of: 'webhookFailures',
    one: 'delivery was refused or failed since yesterday',
    many: 'deliveries were refused or failed since yesterday',
    path: '/webhooks?tab=failures',
  },
  {
    of: 'pastDue',
    one: 'subscription is past due',
    many: 'subscriptions are past due',
    path: '/subscriptions?status=past_due',
  },
  {
    of: 'approvals',
    one: 'change waits for the customer’s approval',
    many: 'changes wait for the customer’s approval',
    path: '/subscriptions?awaiting=approval',
  },
  {
    of: 'refundsPending',
    one: 'refund waits for its payment provider',
    many: 'refunds wait for their payment provider',
    path: '/payments?tab=refunds&status=pending',
  },
];

/** Returns whether nothing needs attention. */
export function needsNobody(attention: Attention): boolean {
  return ATTENTION_LINES.every(({ of }) => attention[of] === 0);
}
