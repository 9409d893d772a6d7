import { randomUUID } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '../../src/domain/instant';
import { periodEnd } from '../support/provider-row';
import type { PlanName, WorldSubscription } from '../support/provider-world';
import { useProviderRow } from '../support/use-provider-world';

/** Section 3, provider B: a request that is withdrawn, replaced or not approved in time, and its later effects. */
const { world, row } = useProviderRow();

async function ask(sub: WorldSubscription, plan: PlanName): Promise<string> {
  return String((await world.change(sub.id, { plan })).body['approvalUrl']);
}

/** Expects that the change restored by a late confirmation takes effect at the next boundary, together with access. */
async function expectLarge(sub: WorldSubscription): Promise<void> {
  const reopened = await world.show(sub.id);
  expect(reopened).toMatchObject({
    plan: { slug: 'pro' },
    pendingApproval: null,
    scheduledChange: { plan: { slug: 'large' } },
  });
  expect((await row.timeline(sub)).at(-1)).toEqual({
    kind: 'change_confirmed_late',
    message: `${sub.externalId} confirmed the change to large after it had been dropped. It takes effect at the next renewal anyway.`,
  });
  expect(await row.events(sub, 'change_confirmed_late')).toEqual(['OK']);
  expect(await row.access(sub)).toBe(1_000);
  await world.advanceTo(periodEnd(reopened) + MINUTE_MS);
  expect(await world.show(sub.id)).toMatchObject({ plan: { slug: 'large' } });
  expect(await row.access(sub)).toBe(10_000);
}

describe('withdrawn', () => {
  test('it is not waited for, and the terms of now go on', async () => {
    const sub = await world.subscribe('provider_b');
    const before = await row.terms(sub);
    await ask(sub, 'large');
    const key = randomUUID();
    const answer = await world.withdraw(sub.id, key);
    expect(answer).toMatchObject({
      status: 200,
      body: { effective: 'immediate', withdrawn: { plan: { slug: 'large' }, seats: 1 } },
    });
    expect(await row.terms(sub)).toEqual(before);
    expect(await world.atProvider(sub)).toMatchObject({ planReference: 'P-PRO' });
    expect((await row.timeline(sub)).at(-1)).toEqual({
      kind: 'scheduled_change_withdrawn',
      message: `${sub.externalId}'s scheduled change to large was withdrawn.`,
    });
    expect(await world.withdraw(sub.id, key)).toMatchObject({ status: 200, body: answer.body });
    expect(await world.withdraw(sub.id)).toMatchObject({
      status: 409,
      body: { code: 'no_scheduled_change' },
    });
    expect(await row.kinds(sub)).toEqual(['change_requested', 'scheduled_change_withdrawn']);
  });

  test('and the next renewal is charged at its price for another reason: it was never approved', async () => {
    const sub = await world.subscribe('provider_b');
    await ask(sub, 'large');
    await world.withdraw(sub.id);
    const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
    const priced = (value: string) =>
      world.simulators.providers.b.account({
        clientId,
        clientSecret,
        plans: [{ id: 'P-PRO', name: 'pro', price: { value, currency_code: 'USD' } }],
      });
    // Raised in the provider's dashboard, for its subscribers too.
    priced('90.00');
    await world.advanceTo(periodEnd(await world.show(sub.id)) + MINUTE_MS);
    priced('30.00');
    expect(await world.show(sub.id)).toMatchObject({ plan: { slug: 'pro' }, scheduledChange: null });
    expect(await row.access(sub)).toBe(1_000);
    expect(await row.kinds(sub)).toEqual(['change_requested', 'scheduled_change_withdrawn', 'period_turned']);
  });

  test('and another one is confirmed: that one stays as it is', async () => {
    const sub = await world.subscribe('provider_b');
    await world.pay('provider_b', await ask(sub, 'large'));
    await world.settle();
    await ask(sub, 'pro');
    expect(await world.withdraw(sub.id)).toMatchObject({
      status: 200,
      body: { effective: 'immediate', withdrawn: { plan: { slug: 'pro' }, seats: 1 } },
    });
    expect(await world.show(sub.id)).toMatchObject({
      pendingApproval: null,
      scheduledChange: { plan: { slug: 'large' } },
    });
    expect((await row.kinds(sub)).at(-1)).toBe('scheduled_change_withdrawn');
    expect(await world.withdraw(sub.id)).toMatchObject({
      status: 409,
      body: { capability: { reasonCode: 'confirmed_at_provider' } },
    });
  });

  test('and approved all the same: it is open again, once, and comes with the renewal', async () => {
    const sub = await world.subscribe('provider_b');
    const page = await ask(sub, 'large');
    await world.withdraw(sub.id);
    world.simulators.core.outbox.switches.duplicate = true;
    await world.pay('provider_b', page);
    await world.settle();
    world.simulators.core.outbox.switches.duplicate = false;
    await expectLarge(sub);
    expect((await row.kinds(sub)).filter((kind) => kind.startsWith('change_confirmed'))).toHaveLength(1);
  });

  test('and asked for again: the new request is confirmed as itself', async () => {
    const sub = await world.subscribe('provider_b');
    await ask(sub, 'large');
    await world.withdraw(sub.id);
    await world.pay('provider_b', await ask(sub, 'large'));
    await world.settle();
    expect((await row.kinds(sub)).slice(-2)).toEqual(['change_requested', 'change_confirmed']);
  });
});

describe('not approved by its deadline', () => {
  test('it is dropped with an event, and not before', async () => {
    const sub = await world.subscribe('provider_b');
    await ask(sub, 'large');
    const { pendingApproval } = await world.show(sub.id);
    const deadline = Date.parse(pendingApproval?.expiresAt ?? '');
    expect(deadline - (await world.now())).toBeLessThanOrEqual(3 * DAY_MS);
    await world.advanceTo(deadline - MINUTE_MS);
    expect(await world.show(sub.id)).toMatchObject({ pendingApproval: { plan: { slug: 'large' } } });
    await world.advanceTo(deadline);
    expect(await world.show(sub.id)).toMatchObject({ pendingApproval: null, scheduledChange: null });
    expect((await row.timeline(sub)).at(-1)).toEqual({
      kind: 'change_request_expired',
      message: `${sub.externalId} did not approve the change to large in time, so the subscription stays on pro.`,
    });
    expect(await row.events(sub, 'change_request_expired')).toEqual(['OK']);
    expect(await row.capabilities(sub)).toMatchObject({ planChange: 'available' });
  });

  test('and approved afterwards: it is open again', async () => {
    const sub = await world.subscribe('provider_b');
    const page = await ask(sub, 'large');
    await world.advanceBy(3 * DAY_MS + MINUTE_MS);
    await world.pay('provider_b', page);
    await world.settle();
    await expectLarge(sub);
  });

  test('approved at the last moment, unheard: the look at the deadline confirms it', async () => {
    const sub = await world.subscribe('provider_b');
    const page = await ask(sub, 'large');
    await world.advanceBy(3 * DAY_MS - 2 * MINUTE_MS);
    row.lose(true);
    await world.pay('provider_b', page);
    await world.advanceBy(3 * MINUTE_MS);
    expect(await row.kinds(sub)).toEqual(['change_requested', 'change_confirmed']);
  });

  test('while the provider cannot be read, it is not dropped: the customer may have approved', async () => {
    const sub = await world.subscribe('provider_b');
    await ask(sub, 'large');
    row.break('provider_b', '/v1/billing', 'answer_500');
    await world.advanceBy(3 * DAY_MS + MINUTE_MS);
    expect(await world.show(sub.id)).toMatchObject({ pendingApproval: { plan: { slug: 'large' } } });
    row.hearAgain();
    await world.advanceBy(61 * MINUTE_MS);
    expect(await row.kinds(sub)).toEqual(['change_requested', 'change_request_expired']);
  });

  test('while a look is due at a provider that cannot be read, a command goes through', async () => {
    const sub = await world.subscribe('provider_b');
    await ask(sub, 'large');
    row.break('provider_b', '/v1/billing', 'answer_500');
    const { direct } = world.service;
    await world.operator.post('/api/sandbox/clock', {
      body: { to: new Date((await world.now()) + 11 * MINUTE_MS).toISOString() },
      env: null,
      query: { organizationId: world.operator.workspaceId, env: 'sandbox' },
    });
    expect(await world.withdraw(sub.id)).toMatchObject({ status: 200 });
    await direct.catchUp(world.scope, sub.id);
    expect(await row.kinds(sub)).toEqual(['change_requested', 'scheduled_change_withdrawn']);
    row.hearAgain();
    await world.advanceBy(MINUTE_MS);
  });

  test('its days are the workspace’s setting', async () => {
    const sub = await world.subscribe('provider_b');
    const days = (approvalDays: number) =>
      world.operator.patch('/api/billing/settings', { body: { approvalDays } });
    expect((await days(1)).status).toBe(200);
    await ask(sub, 'large');
    await days(3);
    const { pendingApproval } = await world.show(sub.id);
    const { requestedAt = '', expiresAt = '' } = (pendingApproval ?? {}) as Record<string, string>;
    expect(Date.parse(expiresAt) - Date.parse(requestedAt)).toBe(DAY_MS);
  });
});

describe('replaced by another request', () => {
  test('it is reported as withdrawn, its page is gone, and the new one is awaited', async () => {
    const sub = await world.subscribe('provider_b');
    const first = await ask(sub, 'large');
    const second = await world.change(sub.id, { plan: 'starter' });
    expect(second.body).toMatchObject({ withdrawn: { plan: { slug: 'large' }, seats: 1 } });
    expect(await world.show(sub.id)).toMatchObject({ pendingApproval: { plan: { slug: 'starter' } } });
    await expect(world.pay('provider_b', first)).rejects.toThrow('answered 404');
    await world.pay('provider_b', String(second.body['approvalUrl']));
    await world.settle();
    expect(await world.show(sub.id)).toMatchObject({ scheduledChange: { plan: { slug: 'starter' } } });
  });

  test('and approved all the same: it comes, and the other one is still waited for', async () => {
    const sub = await world.subscribe('provider_b');
    await ask(sub, 'large');
    await ask(sub, 'starter');
    await world.pay('provider_b', await askThere(sub, 'P-LARGE'));
    await world.settle();
    expect(await world.show(sub.id)).toMatchObject({
      pendingApproval: { plan: { slug: 'starter' } },
      scheduledChange: { plan: { slug: 'large' } },
    });
    expect((await row.kinds(sub)).at(-1)).toBe('change_confirmed_late');
  });
});

test('a change that was not requested here confirms nothing', async () => {
  const sub = await world.subscribe('provider_b');
  await ask(sub, 'large');
  await world.pay('provider_b', await askThere(sub, 'P-STARTER'));
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({
    plan: { slug: 'pro' },
    scheduledChange: null,
    pendingApproval: { plan: { slug: 'large' } },
  });
});

/** Asks the customer at the provider, without the service knowing. */
async function askThere({ reference }: WorldSubscription, planReference: string): Promise<string> {
  const { adapter, access } = await world.open('provider_b');
  const urls = { returnUrl: 'https://shop.example/back', cancelUrl: 'https://shop.example/back' };
  const sending = { key: randomUUID(), repeated: false, reference };
  const change = { ...sending, ...urls, planReference, quantity: 1, proration: 'none' } as const;
  const outcome = await adapter.changeSubscription(access, change);
  if (outcome.kind !== 'customer_action') throw new Error(JSON.stringify(outcome));
  return outcome.approvalUrl ?? '';
}
