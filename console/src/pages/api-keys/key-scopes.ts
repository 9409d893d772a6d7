import type { components } from '../../api/schema';

export type KeyScope = components['schemas']['ApiKey']['scopes'][number];

/** What each scope allows, as the form says it. */
export const SCOPES: Record<KeyScope, string> = {
  read: 'Reads plans, features, customers, subscriptions, checkouts, money.',
  usage: 'Checks and tracks.',
  customers: 'Creates, changes and erases customers; their entitlements.',
  subscriptions: 'Checkouts, subscriptions, their changes and ends.',
  billing: 'Payments, refunds, credits.',
  events: 'Reads events and decisions.',
  webhooks: 'Webhook endpoints and their deliveries.',
};

/** Those of a key whose maker chooses none. */
export const USUAL_SCOPES: KeyScope[] = ['usage', 'customers', 'events'];
