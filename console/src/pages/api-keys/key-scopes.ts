import type { components } from '../../api/schema';

export type KeyScope = components['schemas']['ApiKey']['scopes'][number];

/** Description of each scope in the form. */
export const SCOPES: Record<KeyScope, string> = {
  read: 'Reads plans, features, customers, subscriptions, checkouts, money.',
  usage: 'Checks and tracks.',
  customers: 'Creates, changes and erases customers; their entitlements.',
  subscriptions: 'Checkouts, subscriptions, their changes and ends.',
  billing: 'Payments, refunds, credits.',
  events: 'Reads events and decisions.',
  webhooks: 'Webhook endpoints and their deliveries.',
};

/** Default scopes of a key. */
export const USUAL_SCOPES: KeyScope[] = ['usage', 'customers', 'events'];
