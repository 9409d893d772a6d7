import { DAY_MS } from '../src/domain/instant';

/** A list as the console reads it. */
interface ListCall {
  name: string;
  path: string;
  query: Readonly<Record<string, string>>;
}

const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

const subscriptions = (name: string, query: ListCall['query']): ListCall => ({
  name: `subscriptions, ${name}`,
  path: '/api/billing/subscriptions',
  query,
});
const events = (name: string, query: ListCall['query']): ListCall => ({
  name: `events, ${name}`,
  path: '/api/developer-events',
  query,
});

/** The lists an operator uses, with each filter that their page offers. */
export const LISTS: readonly ListCall[] = [
  { name: 'overview', path: '/api/overview', query: {} },
  { name: 'due within a day', path: '/api/billing/due', query: { within: 'day' } },
  { name: 'due within a month', path: '/api/billing/due', query: { within: 'month' } },
  subscriptions('all', {}),
  subscriptions('past due', { status: 'past_due' }),
  subscriptions('of provider B', { provider: 'provider_b' }),
  subscriptions('of a customer', { externalId: 'c7' }),
  subscriptions('awaiting approval', { awaiting: 'approval' }),
  subscriptions('awaiting a call’s outcome', { awaiting: 'provider' }),
  subscriptions('awaiting their end', { awaiting: 'end' }),
  subscriptions('awaiting a renewal', { awaiting: 'renewal' }),
  subscriptions('renewing within a week', { renewsFrom: inDays(0), renewsTo: inDays(7) }),
  subscriptions('past due, renewing within a day', {
    status: 'past_due',
    renewsFrom: inDays(0),
    renewsTo: inDays(1),
  }),
  events('all', {}),
  events('denied', { status: 'DENIED' }),
  events('of a type', { eventType: 'ENTITLEMENT_DENIED' }),
  events('of a customer', { externalId: 'c7' }),
  events('searched, a word that many have', { search: 'allowed' }),
  events('searched, a word that none has', { search: 'godot' }),
  { name: 'customers', path: '/api/customers', query: {} },
  { name: 'customers, searched', path: '/api/customers', query: { search: 'c49' } },
  { name: 'customers, searched in vain', path: '/api/customers', query: { search: 'godot' } },
  { name: 'entitlements of a customer', path: '/api/customers/cus_7/entitlements', query: {} },
  { name: 'transactions', path: '/api/billing/transactions', query: {} },
  { name: 'transactions, open', path: '/api/billing/transactions', query: { status: 'pending' } },
  { name: 'payments', path: '/api/billing/payments', query: {} },
];
