import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '../../src/domain/instant';
import type { ConsoleAnswer } from '../support/operator';
import { press } from '../support/provider-world';
import { useProviderWorld } from '../support/use-provider-world';
import { DriftingWorld, LARGE } from './drifting';

const world = useProviderWorld();
const drifting = new DriftingWorld(world);
beforeEach(() => {
  drifting.dropWebhooks(false);
});

describe('a subscription that agrees', () => {
  it.each(['provider_a', 'provider_b', 'provider_c'] as const)(
    'is in sync with %s, and a repair of it changes nothing',
    async (provider) => {
      const { id } = await world.subscribe(provider, { seats: provider === 'provider_c' ? 1 : 2 });
      const drift = await drifting.driftOf(id);
      expect(drift).toMatchObject({ inSync: true, differences: [], atProvider: { status: 'active' } });
      expect(drift.unverifiable.map(({ field }) => field)).toEqual(
        provider === 'provider_c' ? ['seats'] : [],
      );
      const before = await world.history(id);
      expect((await drifting.repair(id, { take: 'provider' })).body).toMatchObject({
        changes: [],
        inSync: true,
      });
      expect((await drifting.repair(id, { take: 'local' })).body).toMatchObject({
        changes: [],
        inSync: true,
      });
      expect(await world.history(id)).toEqual(before);
      expect(await drifting.auditOf(id)).toEqual([]);
    },
  );

  it('has nothing to compare in local billing, and nothing to repair', async () => {
    const customerId = await world.seed.customer('acct-local');
    const id = await world.seed.subscription(customerId, world.plans.pro, {});
    const drift = await drifting.driftOf(id);
    expect(drift).toMatchObject({ inSync: null, differences: [], atProvider: null });
    expect(drift.unverifiable[0]).toMatchObject({ code: 'local' });
    const refused = await drifting.repair(id, { take: 'provider' });
    expect(refused).toMatchObject({ status: 422, body: { code: 'capability_unsupported' } });
  });

  it('waits for a renewal or a customer without drifting', async () => {
    const a = await world.subscribe('provider_a', { seats: 2 });
    await world.change(a.id, { plan: 'starter' });
    const b = await world.subscribe('provider_b', { seats: 2 });
    const requested = await world.change(b.id, { plan: 'large' });
    expect(await drifting.driftOf(a.id)).toMatchObject({ inSync: true });
    expect(await drifting.driftOf(b.id)).toMatchObject({ inSync: true });
    drifting.dropWebhooks(true);
    await press(String(requested.body['approvalUrl']), { choice: 'approve' });
    expect(await drifting.driftOf(b.id)).toMatchObject({
      inSync: true,
      atProvider: { plan: { slug: 'large' } },
    });
  });
});

describe('a plan that was changed in the dashboard', () => {
  it.each(['provider_a', 'provider_b'] as const)(
    'is found at %s, and taken over with its price, once for a key',
    async (provider) => {
      const subscription = await world.subscribe(provider, { seats: 2 });
      const { id } = subscription;
      await drifting.behindOurBack(subscription, LARGE[provider]);
      const drift = await drifting.driftOf(id);
      expect(drift.inSync).toBe(false);
      expect(drift.differences).toMatchObject([
        { field: 'plan', local: 'pro', provider: 'large' },
        { field: 'seats', local: 2, provider: 3 },
      ]);
      expect(drift.differences[0]?.words).toBe('Here it is on pro; the payment provider bills large.');
      expect(await world.show(id)).toMatchObject({ plan: { slug: 'pro' }, seats: 2 });

      const key = randomUUID();
      const repaired = await drifting.repair(id, { take: 'provider' }, key);
      expect(repaired).toMatchObject({ status: 200, body: { inSync: true, take: 'provider' } });
      expect(await world.show(id)).toMatchObject({
        plan: { slug: 'large' },
        seats: 3,
        price: { amount: '9000' },
      });
      expect(await drifting.driftOf(id)).toMatchObject({ inSync: true });
      const again = await drifting.repair(id, { take: 'provider' }, key);
      expect(again.body).toEqual(repaired.body);
      expect((await world.history(id)).filter((kind) => kind === 'repaired')).toHaveLength(1);
      const [audit] = await drifting.auditOf(id);
      expect(audit).toMatchObject({
        before: { plan: 'pro', seats: 2, unitAmount: '3000' },
        after: { plan: 'large', seats: 3, unitAmount: '9000' },
      });
    },
  );

  it('is changed back at provider A, without a charge, and cannot be at provider B', async () => {
    const a = await world.subscribe('provider_a', { seats: 2 });
    await drifting.behindOurBack(a, LARGE.provider_a);
    expect((await drifting.repair(a.id, { take: 'local' })).body).toMatchObject({
      inSync: true,
      changes: [],
    });
    expect(await world.atProvider(a)).toMatchObject({ planReference: 'price_pro', quantity: 2 });
    expect((await drifting.auditOf(a.id))[0]).toMatchObject({
      take: 'local',
      found: [{ field: 'plan' }, {}],
    });

    const b = await world.subscribe('provider_b', { seats: 2 });
    await drifting.behindOurBack(b, LARGE.provider_b);
    const refused = await drifting.repair(b.id, { take: 'local' });
    expect(refused).toMatchObject({ status: 422, body: { code: 'capability_unsupported' } });
    expect(await drifting.fieldsOf(b.id)).toEqual(['plan', 'seats']);
  });

  it('withdraws the change that was scheduled for other terms', async () => {
    const subscription = await world.subscribe('provider_a', { seats: 2 });
    const { id } = subscription;
    await world.change(id, { plan: 'starter' });
    await drifting.behindOurBack(subscription, LARGE.provider_a);
    await drifting.repair(id, { take: 'provider' });
    expect(await world.show(id)).toMatchObject({ plan: { slug: 'large' }, scheduledChange: null });
    expect((await world.history(id)).slice(-2)).toEqual(['scheduled_change_withdrawn', 'repaired']);
  });

  it('to one that no plan here is, is named, and refused until it has a plan', async () => {
    const subscription = await world.subscribe('provider_a', { seats: 2 });
    const { id } = subscription;
    await drifting.behindOurBack(subscription, LARGE.provider_a);
    const forget = (references: Record<string, string>): Promise<ConsoleAnswer> =>
      world.operator.patch(`/api/provider-connections/${world.connections.provider_a}`, {
        body: { settings: { planReferences: references } },
      });
    const known = { starter: 'price_starter', pro: 'price_pro' };
    await forget(known);
    try {
      const drift = await drifting.driftOf(id);
      expect(drift.unverifiable).toMatchObject([{ field: 'plan', code: 'plan_unknown' }]);
      expect(drift.unverifiable[0]?.reason).toContain('"price_large"');
      const refused = await drifting.repair(id, { take: 'provider' });
      expect(refused).toMatchObject({ status: 422, body: { code: 'plan_not_mapped' } });
      expect(String(refused.body['detail'])).toContain('"price_large"');
    } finally {
      await forget({ ...known, large: 'price_large' });
    }
    expect((await drifting.repair(id, { take: 'provider' })).body).toMatchObject({ inSync: true });
  });
});

test('a quantity of 0 at provider A is not taken over, and the seats here can be sent instead', async () => {
  const subscription = await world.subscribe('provider_a', { seats: 2 });
  const { id } = subscription;
  await drifting.behindOurBack(subscription, { planReference: 'price_pro', quantity: 0 });
  expect((await drifting.driftOf(id)).differences).toMatchObject([{ field: 'seats', local: 2, provider: 0 }]);
  expect(await drifting.repair(id, { take: 'provider' })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', errors: [{ pointer: '/take' }] },
  });
  expect((await drifting.repair(id, { take: 'local' })).body).toMatchObject({ inSync: true });
  expect(await world.atProvider(subscription)).toMatchObject({ quantity: 2 });
});

describe('what provider A bills a subscription by', () => {
  /** Makes a change as in provider A's dashboard. */
  async function atA(path: string, parameters: Record<string, string>): Promise<void> {
    const answer = await fetch(`${world.simulators.urls.a}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.secrets.provider_a['secretKey'] ?? ''}` },
      body: new URLSearchParams(parameters),
    });
    if (answer.status !== 200) throw new Error(await answer.text());
  }

  it('shows further items, discounts and a paused collection, which no repair writes down', async () => {
    const { id, reference } = await world.subscribe('provider_a');
    drifting.dropWebhooks(true);
    const path = `/v1/subscriptions/${reference}`;
    await atA('/v1/coupons', { id: `half-${id}`, percent_off: '50', duration: 'forever' });
    await atA(path, { 'items[0][price]': 'price_large', proration_behavior: 'none' });
    await atA(path, { 'discounts[0][coupon]': `half-${id}`, 'pause_collection[behavior]': 'void' });
    const { inSync, differences } = await drifting.driftOf(id);
    expect([inSync, differences]).toMatchObject([
      false,
      [
        { field: 'items', local: 'none besides the plan', provider: 'price_large × 1' },
        { field: 'discount', local: 'none', provider: expect.stringMatching(/^di_/) as string },
        { field: 'pausedCollection', local: 'collects', provider: 'void' },
      ],
    ]);
    expect((await drifting.repair(id, { take: 'provider' })).body).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/take', fix: 'Change it at the payment provider.' }],
    });
    expect((await drifting.repair(id, { take: 'local' })).body).toMatchObject({
      code: 'capability_unsupported',
    });
  });

  it('compares it in the answer of a repair, too', async () => {
    const subscription = await world.subscribe('provider_a', { seats: 2 });
    const { id, reference } = subscription;
    await drifting.behindOurBack(subscription, { planReference: 'price_pro', quantity: 3 });
    await atA(`/v1/subscriptions/${reference}`, { 'pause_collection[behavior]': 'void' });
    expect(await drifting.fieldsOf(id)).toEqual(['seats', 'pausedCollection']);
    for (const take of ['local', 'provider'] as const) {
      const { body } = await drifting.repair(id, { take });
      if (take === 'provider') expect(body).toMatchObject({ code: 'validation_failed' });
      else expect(body).toMatchObject({ inSync: false, differences: [{ field: 'pausedCollection' }] });
    }
    expect(await world.atProvider(subscription)).toMatchObject({ quantity: 2 });
  });

  it('shows a trial that was given there', async () => {
    const { id, reference } = await world.subscribe('provider_a');
    drifting.dropWebhooks(true);
    const end = Math.floor((await world.now()) / 1000) + 5 * 86_400;
    await atA(`/v1/subscriptions/${reference}`, { trial_end: String(end), proration_behavior: 'none' });
    expect(await drifting.fieldsOf(id)).toContain('trialEnd');
  });

  it('tells the price of a plan that was edited here only, and who is on an older one', async () => {
    const { id } = await world.subscribe('provider_a', { plan: 'starter' });
    const { planId } = world.plans.starter;
    const set = (amount: string) =>
      world.operator.patch(`/api/plans/${planId}`, { body: { price: { amount, currency: 'USD' } } });
    await set('1200');
    const drift = await drifting.driftOf(id);
    await set('1000');
    expect(drift).toMatchObject({
      inSync: true,
      differences: [],
      notes: [{ field: 'price', code: 'older_price' }],
    });
    // A price that the plan never had here is not one of its prices.
    await world.service.database.query('UPDATE tollgate.subscriptions SET unit_amount = 1500 WHERE id = $1', [
      id,
    ]);
    await world.service.database.query('DELETE FROM tollgate.former_plan_prices');
    await world.service.database.query('UPDATE tollgate.plans SET price_amount = 1500 WHERE id = $1', [
      planId,
    ]);
    expect((await drifting.driftOf(id)).differences).toMatchObject([
      { field: 'price', local: '1500', provider: '1000' },
    ]);
    await set('1000');
  });

  it('remembers a price that the plan has left behind, after renewals that are charged at it', async () => {
    const { a } = world.simulators.providers;
    a.account({ secretKey: world.secrets.provider_a['secretKey'] ?? '' }).price({
      id: 'price_pro_2027',
      unitAmount: 3500,
      currency: 'usd',
      interval: 'month',
    });
    const early = await world.subscribe('provider_a', { seats: 2 });
    const plan = `/api/plans/${world.plans.pro.planId}`;
    const connection = `/api/provider-connections/${world.connections.provider_a}`;
    const { body } = await world.operator.get(connection);
    const { planReferences } = body['settings'] as { planReferences: Record<string, string> };
    const map = (pro: string) =>
      world.operator.patch(connection, {
        body: { settings: { planReferences: { ...planReferences, pro } } },
      });
    const cost = (amount: string) =>
      world.operator.patch(plan, { body: { price: { amount, currency: 'USD' } } });
    await cost('3500');
    await map('price_pro_2027');
    const late = await world.subscribe('provider_a', { seats: 2 });
    const older = { inSync: true, differences: [], unverifiable: [], notes: [{ code: 'older_price' }] };
    expect(await drifting.driftOf(early.id)).toMatchObject(older);
    for (let renewal = 0; renewal < 2; renewal += 1) {
      await world.advanceTo(Date.parse((await world.show(early.id)).currentPeriodEnd) + HOUR_MS);
    }
    expect(await world.show(early.id)).toMatchObject({ price: { amount: '3000' } });
    expect(await world.atProvider(early)).toMatchObject({ planReference: 'price_pro' });
    expect(await drifting.driftOf(early.id)).toMatchObject(older);
    expect(await drifting.driftOf(late.id)).toMatchObject({ inSync: true, notes: [] });
    // A repair of another difference finds its plan and keeps its price.
    await drifting.behindOurBack(early, { planReference: 'price_pro', quantity: 3 });
    expect(await drifting.fieldsOf(early.id)).toEqual(['seats']);
    expect((await drifting.repair(early.id, { take: 'local' })).body).toMatchObject({ inSync: true });
    expect(await world.atProvider(early)).toMatchObject({ planReference: 'price_pro', quantity: 2 });
    await drifting.behindOurBack(early, { planReference: 'price_pro', quantity: 3 });
    expect((await drifting.repair(early.id, { take: 'provider' })).body).toMatchObject({
      inSync: true,
      subscription: { plan: { slug: 'pro' }, seats: 3 },
    });
    drifting.dropWebhooks(false);
    await map('price_pro');
    await cost('3000');
  });
});
