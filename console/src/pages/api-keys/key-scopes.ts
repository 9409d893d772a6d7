import type { components } from '../../api/schema';

export type KeyScope = components['schemas']['ApiKey']['scopes'][number];

/** Description of each scope in the form. */
export const SCOPES: Record<KeyScope, string> = {
  read: 'Reads everything, also webhook endpoints and messages, but not events and decisions.',
  usage: 'Checks, tracks and reverses usage.',
  customers: 'Creates, changes and erases customers; their entitlements.',
  subscriptions: 'Checkouts, subscriptions, their changes and ends, and links to the customer’s page.',
  billing: 'Payments, refunds, credits.',
  events: 'Reads events and decisions.',
  webhooks: 'Creates and changes webhook endpoints, which receive everything that happens.',
};

/** Default scopes of a key. */
export const USUAL_SCOPES: KeyScope[] = ['usage', 'customers', 'events'];
