import { createHash } from 'node:crypto';
import type { Customers } from '../../customers/customer-service';
import { DAY_MS, type Instant } from '../../domain/instant';
import type { Subscriptions } from '../../subscriptions/subscription-service';
import type { Actor } from '../../tenancy/actor';

/** A demo customer in an interesting state. */
export interface DemoCustomer {
  externalId: string;
  name: string;
  /** No plan: a customer who signed up and bought nothing. */
  plan?: string;
  seats?: number;
  /** Days since the subscription began. */
  since: number;
  credits?: number;
  /** Nothing was paid: past due since seven days after the subscription began. */
  unpaid?: true;
  /** When the subscription was cancelled. */
  ends?: { daysAgo: number };
  /** Calls of the customer in three hours: how many, and at most how many units of which feature. */
  calls: readonly { feature: string; times: number; most: number }[];
}

export const DEMO_CUSTOMERS: readonly DemoCustomer[] = [
  {
    externalId: 'demo_acme',
    name: 'Acme Corporation',
    plan: 'pro',
    seats: 5,
    since: 41,
    calls: [
      { feature: 'ai_tokens', times: 3, most: 90 },
      { feature: 'api_calls', times: 2, most: 60 },
      { feature: 'exports', times: 1, most: 4 },
    ],
  },
  {
    externalId: 'demo_trial',
    name: 'In a trial',
    plan: 'team',
    since: 6,
    calls: [{ feature: 'ai_tokens', times: 1, most: 900 }],
  },
  {
    externalId: 'demo_used_up',
    name: 'Used up its quota',
    plan: 'starter',
    since: 20,
    calls: [{ feature: 'ai_tokens', times: 1, most: 40 }],
  },
  {
    externalId: 'demo_overage',
    name: 'Beyond a soft quota',
    plan: 'pro',
    since: 25,
    calls: [{ feature: 'api_calls', times: 2, most: 150 }],
  },
  {
    externalId: 'demo_credits',
    name: 'Has bought credits',
    plan: 'pro',
    since: 28,
    credits: 5_000,
    calls: [{ feature: 'ai_tokens', times: 2, most: 900 }],
  },
  {
    externalId: 'demo_unlimited',
    name: 'Unlimited',
    plan: 'scale',
    since: 30,
    calls: [{ feature: 'ai_tokens', times: 2, most: 20_000 }],
  },
  {
    externalId: 'demo_past_due',
    name: 'Past due, within its grace',
    plan: 'pro',
    since: 10,
    unpaid: true,
    calls: [{ feature: 'ai_tokens', times: 1, most: 50 }],
  },
  {
    externalId: 'demo_suspended',
    name: 'Past due, beyond its grace',
    plan: 'pro',
    since: 17,
    unpaid: true,
    calls: [{ feature: 'ai_tokens', times: 1, most: 50 }],
  },
  {
    externalId: 'demo_cancelled',
    name: 'Cancelled',
    plan: 'pro',
    since: 27,
    ends: { daysAgo: 5 },
    calls: [{ feature: 'ai_tokens', times: 1, most: 50 }],
  },
  { externalId: 'demo_new', name: 'No subscription yet', since: 1, calls: [] },
];

/** Creates the customers, their credits and their subscriptions, each at its start date. */
export async function makeDemoCustomers(
  features: { customers: Customers; subscriptions: Subscriptions },
  actorAt: (instant: Instant) => Actor,
  now: Instant,
): Promise<void> {
  for (const customer of DEMO_CUSTOMERS) {
    const actor = actorAt(now - customer.since * DAY_MS);
    const { customer: row } = await features.customers.put(actor, customer.externalId, {
      name: customer.name,
      email: `billing@${customer.externalId.replaceAll('_', '-')}.example`,
    });
    if (customer.credits !== undefined) {
      const input = { amount: customer.credits, reason: 'Bought with the demo' };
      await features.customers.credits.grant(actor, row.id, input, demoClaim('credits', customer.externalId));
    }
    if (customer.plan !== undefined) {
      const input = { customerId: row.id, planSlug: customer.plan, seats: customer.seats ?? 1, metadata: {} };
      await features.subscriptions.open(actor, input, demoClaim('subscription', customer.externalId));
    }
  }
}

function demoClaim(what: string, externalId: string): { key: string; fingerprint: Buffer } {
  const key = `demo-${what}-${externalId}`;
  return { key, fingerprint: createHash('sha256').update(key).digest() };
}
