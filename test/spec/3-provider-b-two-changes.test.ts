import { DAY_MS } from '../../src/domain/instant';
import { DriftingWorld } from '../subscriptions/drifting';
import { MessageLog } from '../webhook-messages/message-log';
import type { PlanName, WorldSubscription } from '../support/provider-world';
import { useProviderRow } from '../support/use-provider-world';

/**
 * Section 3, provider B: a change that the customer has confirmed waits for the renewal while another one awaits their
 * approval. Whatever drops either of them says so.
 */
const { world, row } = useProviderRow();
const drifting = new DriftingWorld(world);
afterEach(() => {
  drifting.dropWebhooks(false);
});

async function ask(sub: WorldSubscription, plan: PlanName): Promise<string> {
  return String((await world.change(sub.id, { plan })).body['approvalUrl']);
}

/** Subscribes to pro, with a confirmed change to large and a request for another plan. */
async function withBoth(requested: PlanName): Promise<WorldSubscription> {
  const sub = await world.subscribe('provider_b');
  await world.pay('provider_b', await ask(sub, 'large'));
  await world.settle();
  await ask(sub, requested);
  expect(await world.show(sub.id)).toMatchObject({
    scheduledChange: { plan: { slug: 'large' } },
    pendingApproval: { plan: { slug: requested } },
  });
  return sub;
}

/** Returns the messages of the history after the second request, oldest first. */
async function since(sub: WorldSubscription): Promise<string[]> {
  const messages = (await row.timeline(sub)).slice(3).map(({ message }) => message);
  return messages.map((message) => message.replace(`${sub.externalId}'s `, ''));
}

async function previewOf({ id }: WorldSubscription, body: object): Promise<Record<string, unknown>> {
  const query = { dryRun: 'true' };
  return (await world.operator.post(`/api/billing/subscriptions/${id}/change`, { body, query })).body;
}

const withdrawn = (plan: PlanName): string => `scheduled change to ${plan} was withdrawn.`;
const CANCELLED = 'subscription to pro was cancelled.';

test.each(['starter', 'pro'] as const)('a cancellation drops both, the request to %s too', async (plan) => {
  const sub = await withBoth(plan);
  row.lose(true);
  const { body } = await world.command(sub.id, 'cancel');
  expect(body).toMatchObject({
    withdrawn: { plan: { slug: 'large' } },
    subscription: { status: 'cancelled', scheduledChange: null, pendingApproval: null },
  });
  expect(await since(sub)).toEqual([withdrawn('large'), withdrawn(plan), CANCELLED]);
  const messages = await (await MessageLog.by(world.service, world.scope)).all();
  const types = messages.flatMap(({ type, resource }) => (resource.id === sub.id ? [type] : []));
  expect(types.slice(-3)).toEqual(['subscription.changed', 'subscription.changed', 'subscription.cancelled']);
  expect(await row.events(sub, 'scheduled_change_withdrawn')).toEqual(['OK', 'OK']);
});

test('an end at the provider drops both', async () => {
  const sub = await withBoth('starter');
  const { adapter, access } = await world.open('provider_b');
  const { reference } = sub;
  await adapter.cancelSubscription(access, { reference, key: 'there', repeated: false, reason: 'Asked.' });
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled', pendingApproval: null });
  expect((await since(sub)).filter((message) => message.includes('withdrawn'))).toEqual([
    withdrawn('large'),
    withdrawn('starter'),
  ]);
  expect(await row.events(sub, 'scheduled_change_withdrawn')).toEqual(['OK', 'OK']);
});

test.each([
  ['starter', 'pro'],
  ['pro', 'starter'],
] as const)('a new request replaces the one to %s, and keeps what is confirmed', async (first, second) => {
  const sub = await withBoth(first);
  const planSlug = second;
  expect(await previewOf(sub, { planSlug })).toMatchObject({ withdraws: { plan: { slug: first } } });
  const { body } = await world.change(sub.id, { plan: second });
  expect(body).toMatchObject({
    withdrawn: { plan: { slug: first } },
    subscription: {
      scheduledChange: { plan: { slug: 'large' } },
      pendingApproval: { plan: { slug: second } },
    },
  });
  expect(await since(sub)).toEqual([
    withdrawn(first),
    `${sub.externalId} is asked to approve the change from pro to ${second}.`,
  ]);
});

test('the same request again withdraws nothing', async () => {
  const sub = await withBoth('starter');
  const { body } = await world.change(sub.id, { plan: 'starter' });
  expect(body['withdrawn']).toBeUndefined();
  expect(await row.kinds(sub)).not.toContain('scheduled_change_withdrawn');
});

test('the same request again, approved there unheard, is confirmed and not withdrawn', async () => {
  const sub = await world.subscribe('provider_b');
  await world.pay('provider_b', await ask(sub, 'large'));
  await world.settle();
  const back = await ask(sub, 'pro');
  row.lose(true);
  await world.pay('provider_b', back);
  const { body } = await world.change(sub.id, { plan: 'pro' });
  expect(body).toMatchObject({
    withdrawn: { plan: { slug: 'large' } },
    subscription: { scheduledChange: null, pendingApproval: null },
  });
  expect((await row.kinds(sub)).slice(3)).toEqual(['scheduled_change_withdrawn', 'change_requested']);
});

test('a change without an approval replaces both, as its preview says', async () => {
  const terms = { plan_group_id: world.plans.pro.planGroupId, price_amount: 2000, pricing: 'flat' } as const;
  const { planId } = await world.seed.plan('flat', [], terms);
  const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
  const price = { value: '20.00', currency_code: 'USD' };
  const plans = [{ id: 'P-FLAT', name: 'flat', price }];
  world.simulators.providers.b.account({ clientId, clientSecret, plans });
  const path = `/api/provider-connections/${world.connections.provider_b}`;
  const { planReferences } = (await world.operator.get(path)).body['settings'] as Record<string, object>;
  const settings = { planReferences: { ...planReferences, flat: 'P-FLAT' } };
  await world.operator.patch(path, { body: { settings } });
  const sub = await world.subscribe('provider_b');
  await world.pay(
    'provider_b',
    String((await world.command(sub.id, 'change', { planId })).body['approvalUrl']),
  );
  await world.settle();
  await ask(sub, 'starter');

  // Provider B does not bill the seats of a flat plan.
  const preview = await previewOf(sub, { planId, seats: 3 });
  expect(preview).toMatchObject({
    effective: 'next_renewal',
    withdraws: { plan: { slug: 'flat' }, seats: 1 },
  });
  expect((preview['steps'] as string[]).slice(0, 2)).toEqual([
    'The scheduled change to flat is withdrawn.',
    'The scheduled change to starter is withdrawn.',
  ]);
  const { body } = await world.command(sub.id, 'change', { planId, seats: 3 });
  expect(body).toMatchObject({
    withdrawn: { plan: { slug: 'flat' }, seats: 1 },
    subscription: { scheduledChange: { plan: { slug: 'flat' }, seats: 3 }, pendingApproval: null },
  });
  expect((await since(sub)).slice(0, 2)).toEqual([
    'scheduled change to flat was withdrawn.',
    withdrawn('starter'),
  ]);
});

test.each(['starter', 'pro'] as const)('a repair drops both, the request to %s too', async (plan) => {
  const sub = await withBoth(plan);
  await drifting.behindOurBack(sub, { planReference: 'P-LARGE', quantity: 3 });
  const { status } = await drifting.repair(sub.id, { take: 'provider' });
  expect(status).toBe(200);
  expect(await world.show(sub.id)).toMatchObject({
    plan: { slug: 'large' },
    seats: 3,
    scheduledChange: null,
    pendingApproval: null,
  });
  expect((await since(sub)).slice(0, 2)).toEqual([withdrawn('large'), withdrawn(plan)]);
});

test('a withdrawal drops the request only', async () => {
  const sub = await withBoth('starter');
  expect((await world.withdraw(sub.id)).body).toMatchObject({ withdrawn: { plan: { slug: 'starter' } } });
  expect(await world.show(sub.id)).toMatchObject({
    scheduledChange: { plan: { slug: 'large' } },
    pendingApproval: null,
  });
  expect(await since(sub)).toEqual([withdrawn('starter')]);
});

test('a request that expires is reported as expired, and not as withdrawn', async () => {
  const sub = await withBoth('starter');
  await world.advanceBy(4 * DAY_MS);
  expect((await row.kinds(sub)).slice(3)).toEqual(['change_request_expired']);
});
