import type { ConsoleAnswer } from '../support/operator';
import type { WorldSubscription } from '../support/provider-world';
import { until } from '../support/until';
import { useProviderRow } from '../support/use-provider-world';
import type { PaymentProvider } from '../../src/domain/provider';

/** A call's time-out, and the provider's delay: it carries out each request after all three attempts have timed out. */
const [TIMEOUT_MS, LATE_MS] = [3_000, 20_000];

const bounds: { timeoutMs?: number } = {};
const { world, row } = useProviderRow({ bounds });

interface Late {
  send: (subscription: WorldSubscription) => Promise<ConsoleAnswer>;
  /** The provider's path of the change, and how many requests go to it first. */
  path: (reference: string) => string;
  readsFirst: number;
  /** Webhook event that shows the provider has done it; at B, that the customer has confirmed the request. */
  event: string;
  effects: number;
  kinds: string[];
  /** The customer's quota afterwards. */
  access: number;
}

const LATE: Record<PaymentProvider, Late> = {
  provider_a: {
    send: ({ id }) => world.change(id, { plan: 'large' }),
    path: (reference) => `/v1/subscriptions/${reference}`,
    readsFirst: 1,
    event: 'customer.subscription.updated',
    effects: 1,
    kinds: ['upgraded'],
    access: 10_000,
  },
  provider_b: {
    send: ({ id }) => world.change(id, { plan: 'large' }),
    path: (reference) => `/v1/billing/subscriptions/${reference}/revise`,
    readsFirst: 0,
    event: 'BILLING.SUBSCRIPTION.UPDATED',
    effects: 0,
    kinds: ['change_requested'],
    access: 1_000,
  },
  provider_c: {
    send: ({ id }) => world.command(id, 'cancel'),
    path: () => '/subscription/disable',
    readsFirst: 0,
    event: 'subscription.not_renew',
    effects: 1,
    kinds: ['cancel_scheduled'],
    access: 1_000,
  },
};

test('what A, B and C do after nobody waits for it any more counts once, and gives nothing before', async () => {
  const subscribed = await Promise.all((Object.keys(LATE) as PaymentProvider[]).map(subscribe));
  // Not earlier, because subscribing takes longer than this on a busy machine.
  bounds.timeoutMs = TIMEOUT_MS;
  const all = await Promise.all(subscribed.map(ask));
  for (const { before, answer, after } of all) {
    expect(answer.status).toBe(202);
    expect(after).toEqual(before);
  }
  // The last attempts were sent before the answers came, and have been carried out by then.
  const answeredAt = Date.now();
  await until(() => Date.now() > answeredAt + LATE_MS);
  await row.settleLater();
  for (const { provider, subscription, happened, answer } of all) {
    const { event, effects, kinds, access } = LATE[provider];
    expect(await row.operation(answer)).toMatchObject({ status: 'succeeded' });
    expect(await row.kinds(subscription)).toEqual(kinds);
    expect(row.happened(subscription, event)).toBe(happened + effects);
    expect(await row.access(subscription)).toBe(access);
  }
});

async function subscribe(provider: PaymentProvider) {
  const subscription = await world.subscribe(provider);
  const before = await row.terms(subscription);
  return { provider, subscription, before, happened: row.happened(subscription, LATE[provider].event) };
}

/** Sends a command whose three attempts are all carried out too late. */
async function ask(subscribed: Awaited<ReturnType<typeof subscribe>>) {
  const { provider, subscription } = subscribed;
  const { send, path, readsFirst } = LATE[provider];
  for (let tries = 0; tries < 3; tries += 1) {
    world.late(provider, path(subscription.reference), { readsFirst, delayMs: LATE_MS });
  }
  const answer = await send(subscription);
  return { ...subscribed, answer, after: await row.terms(subscription) };
}
