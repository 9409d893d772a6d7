import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { fakeSecret } from '../connections/connection-calls';
import type { ProviderARow } from '../support/provider-a-row';
import { periodEnd } from '../support/provider-row';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { useProviderARow } from '../support/use-provider-world';

/** Section 3, provider A, upgrade or seat increase: takes effect at once, with a paid invoice for the difference. */
const { world, row } = useProviderARow();

const rotate = (secretKey: string) =>
  world.operator.patch(`/api/provider-connections/${world.connections.provider_a}`, {
    body: { secrets: { secretKey } },
  });

/** Seals the connection's secrets again without changing them, as a migration to another credential key does. */
async function sealAgain(): Promise<void> {
  expect((await rotate(world.secrets.provider_a['secretKey'] ?? '')).status).toBe(200);
  await world.service.database.query(
    'UPDATE tollgate.provider_connections SET resealings = resealings + 1 WHERE id = $1',
    [world.connections.provider_a],
  );
}

/** Gives the connection its own key again, and expects that the command to the larger plan then succeeds, charged once. */
async function expectSuccessWithOwnKey(
  accepted: Parameters<ProviderARow['operation']>[0],
  subscription: Awaited<ReturnType<ProviderARow['subscribe']>>,
): Promise<void> {
  await rotate(world.secrets.provider_a['secretKey'] ?? '');
  row.lose(false);
  await world.advanceBy(HOUR_MS);
  expect(await row.operation(accepted)).toMatchObject({ status: 'succeeded' });
  expect(await row.summary(subscription)).toBe('active, large × 1');
  expect(row.collected(subscription)).toHaveLength(2);
}

test('a larger plan is paid and given at once, on the item that is there', async () => {
  const subscription = await row.subscribe({ seats: 2 });
  const preview = await world.operator.post(`/api/billing/subscriptions/${subscription.id}/change`, {
    body: { planSlug: 'large' },
    query: { dryRun: 'true' },
  });
  expect(preview.body).toMatchObject({ effective: 'immediate', direction: 'upgrade', estimated: true });
  const { status, body } = await world.change(subscription.id, { plan: 'large' });
  expect([status, body['effective'], body['requiresCustomerAction']]).toEqual([200, 'immediate', false]);
  expect(await row.summary(subscription)).toBe('active, large × 2');
  expect(await row.billed(subscription)).toBe('price_large × 2');
  expect(await row.access(subscription)).toBe(10_000);
  await world.settle();
  const [, invoice = ''] = row.collected(subscription);
  expect(invoice).toMatch(/^subscription_update \d+$/);
  // Two seats of 90 less two of 30, for the rest of the month.
  expect(Number(invoice.split(' ')[1])).toBeGreaterThan(11_900);
  expect(Number(invoice.split(' ')[1])).toBeLessThanOrEqual(12_000);
  expect(await row.timeline(subscription)).toEqual([
    { kind: 'upgraded', message: `${subscription.externalId} changed from pro × 2 to large × 2.` },
  ]);
  expect(await row.events(subscription, 'upgraded')).toEqual(['OK']);
  expect(await row.capabilities(subscription)).toMatchObject({
    planChange: 'available',
    cancel: 'available',
  });

  await world.advanceTo(periodEnd(await world.show(subscription.id)) + 60_000);
  expect(row.collected(subscription).slice(2)).toEqual(['subscription_cycle 18000']);
  expect(await row.summary(subscription)).toBe('active, large × 2');
});

test('more seats take effect and are charged at once', async () => {
  const subscription = await row.subscribe();
  const { status, body } = await world.change(subscription.id, { seats: 3 });
  expect([status, body['effective']]).toEqual([200, 'immediate']);
  await world.settle();
  expect(await row.summary(subscription)).toBe('active, pro × 3');
  expect(await row.billed(subscription)).toBe('price_pro × 3');
  expect(await row.kinds(subscription)).toEqual(['seats_increased']);
  expect(row.collected(subscription)).toHaveLength(2);
});

test('more seats cost what the preview says, also after the plan was given another price there', async () => {
  const subscription = await row.subscribe();
  const secretKey = world.secrets.provider_a['secretKey'] ?? '';
  const account = world.simulators.providers.a.account({ secretKey });
  account.price({ id: 'price_pro_next', unitAmount: 5000, currency: 'usd', interval: 'month' });
  const connection = `/api/provider-connections/${world.connections.provider_a}`;
  const references = { starter: 'price_starter', pro: 'price_pro', large: 'price_large' };
  const refer = (planReferences: Record<string, string>) =>
    world.operator.patch(connection, { body: { settings: { planReferences } } });
  await refer({ ...references, pro: 'price_pro_next' });
  const preview = await world.operator.post(`/api/billing/subscriptions/${subscription.id}/change`, {
    body: { seats: 2 },
    query: { dryRun: 'true' },
  });
  expect((await world.change(subscription.id, { seats: 2 })).status).toBe(200);
  await refer(references);
  await world.settle();
  const { amount } = preview.body['dueNow'] as { amount: string };
  const [, charged = ''] = row.collected(subscription)[1]?.split(' ') ?? [];
  // The provider prorates a moment later, so it may charge a cent less.
  expect(Math.abs(Number(charged) - Number(amount))).toBeLessThanOrEqual(1);
  expect([await row.summary(subscription), await row.billed(subscription)]).toEqual([
    'active, pro × 2',
    'price_pro × 2',
  ]);
});

test('the preview and the timeline add no tax of local billing, which the provider does not charge', async () => {
  const settings = (body: object) => world.operator.patch('/api/billing/settings', { body });
  const vat = { taxBehavior: 'exclusive', taxRates: [{ name: 'VAT', rate: '0.2' }] };
  expect((await settings(vat)).status).toBe(200);
  try {
    const subscription = await row.subscribe({ seats: 2 });
    const { body } = await world.operator.post(`/api/billing/subscriptions/${subscription.id}/change`, {
      body: { planSlug: 'large' },
      query: { dryRun: 'true' },
    });
    expect((await world.change(subscription.id, { plan: 'large' })).status).toBe(200);
    await world.settle();
    const { amount } = body['dueNow'] as { amount: string };
    const [, charged = ''] = row.collected(subscription)[1]?.split(' ') ?? [];
    // The provider prorates a moment later, so it may charge a cent less.
    expect(Math.abs(Number(charged) - Number(amount))).toBeLessThanOrEqual(1);
    expect(body['tax']).toEqual({ amount: '0', currency: 'USD' });
    const { tax } = await world.show(subscription.id);
    expect(tax).toEqual({ behavior: 'none', rates: [] });
    const timeline = await world.operator.get(`/api/billing/subscriptions/${subscription.id}/timeline`);
    expect(timeline.body['upcoming']).toContainEqual(
      expect.objectContaining({ kind: 'read_back', estimate: { amount: '18000', currency: 'USD' } }),
    );
  } finally {
    await settings({ taxBehavior: 'none', taxRates: [] });
  }
});

test('it withdraws what was scheduled, and says so', async () => {
  const subscription = await row.subscribe({ seats: 2 });
  await world.change(subscription.id, { plan: 'starter' });
  const { body } = await world.change(subscription.id, { plan: 'large' });
  expect(body).toMatchObject({ effective: 'immediate', withdrawn: { plan: { slug: 'starter' }, seats: 2 } });
  expect(await row.summary(subscription)).toBe('active, large × 2');
  expect(await row.kinds(subscription)).toEqual([
    'downgrade_scheduled',
    'scheduled_change_withdrawn',
    'upgraded',
  ]);
});

test('the same key answers the same, and charges once; another key finds nothing to change', async () => {
  const subscription = await row.subscribe();
  const key = randomUUID();
  const first = await world.change(subscription.id, { plan: 'large' }, key);
  const replayed = await world.change(subscription.id, { plan: 'large' }, key);
  expect([replayed.status, replayed.headers.get('Idempotency-Replayed')]).toEqual([200, 'true']);
  expect(replayed.body).toEqual(first.body);
  const other = await world.change(subscription.id, { seats: 2 }, key);
  expect([other.status, other.body['code']]).toEqual([422, 'idempotency_key_reused']);
  const again = await world.change(subscription.id, { plan: 'large' });
  expect([again.status, again.body['code']]).toEqual([409, 'change_without_effect']);
  await world.settle();
  expect(row.collected(subscription)).toHaveLength(2);
  expect(row.updates(subscription)).toBe(1);
});

test('of the same one twice at once one is charged', async () => {
  const subscription = await row.subscribe();
  const answers = await Promise.all([1, 2].map(() => world.change(subscription.id, { plan: 'large' })));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  await world.settle();
  expect(row.collected(subscription)).toHaveLength(2);
  expect(await row.kinds(subscription)).toEqual(['upgraded']);
});

test('webhooks that come in the middle, twice and the last first, change nothing of it', async () => {
  const subscription = await row.subscribe();
  const { outbox } = world.simulators.core;
  Object.assign(outbox.switches, { duplicate: true, reorder: true });
  try {
    const [answer] = await Promise.all([
      world.change(subscription.id, { plan: 'large' }),
      deliverWebhooks(outbox),
    ]);
    expect(answer.status).toBe(200);
    await world.settle();
  } finally {
    Object.assign(outbox.switches, { duplicate: false, reorder: false });
  }
  expect(await row.summary(subscription)).toBe('active, large × 1');
  expect(row.collected(subscription)).toHaveLength(2);
  expect(await row.kinds(subscription)).toEqual(['upgraded']);
});

test('an end that was set at the provider, and that the change finds first, is reported once', async () => {
  const subscription = await row.subscribe();
  const end = periodEnd(await world.show(subscription.id)) + 10 * DAY_MS;
  row.lose(true);
  await row.updateAtProvider(subscription, { cancel_at: String(end / 1_000) });
  expect((await world.change(subscription.id, { seats: 3 })).status).toBe(200);
  expect(await row.summary(subscription)).toBe('active, pro × 3');
  expect(await world.show(subscription.id)).toMatchObject({ cancelAt: new Date(end).toISOString() });
  await row.deliverLost();
  await world.settle();
  expect(await row.kinds(subscription)).toEqual(['cancel_scheduled', 'seats_increased']);
  expect(await row.events(subscription, 'cancel_scheduled')).toEqual(['OK']);
});

test('a cancellation at the provider whose webhook was lost refuses a change, and is recorded at once', async () => {
  const subscription = await row.subscribe();
  row.lose(true);
  await row.updateAtProvider(subscription, { cancel_at_period_end: 'true' });
  const { status, body } = await world.change(subscription.id, { plan: 'large' });
  expect([status, body['code']]).toEqual([409, 'capability_unavailable']);
  expect(body['capability']).toMatchObject({ name: 'planChange', reasonCode: 'cancellation_pending' });
  expect(row.collected(subscription)).toHaveLength(1);
  await world.settle();
  expect(await row.summary(subscription)).toBe('active, pro × 1, ends');
  await row.deliverLost();
  await world.settle();
  expect(await row.kinds(subscription)).toEqual(['change_refused', 'cancel_scheduled']);
  expect(await row.capabilities(subscription)).toMatchObject({ planChange: 'cancellation_pending' });
});

test('a trial that was ended at the provider, and that the change finds over first, is reported once', async () => {
  const subscription = await row.subscribe();
  const trialEnd = periodEnd(await world.show(subscription.id)) + 10 * DAY_MS;
  await row.updateAtProvider(subscription, {
    trial_end: String(trialEnd / 1_000),
    proration_behavior: 'none',
  });
  row.lose(true);
  await row.updateAtProvider(subscription, { trial_end: 'now' });
  expect((await world.change(subscription.id, { seats: 3 })).status).toBe(200);
  expect(await row.summary(subscription)).toBe('active, pro × 3');
  await row.deliverLost();
  await world.settle();
  expect(await row.kinds(subscription)).toEqual(['provider_changed', 'trial_ended', 'seats_increased']);
  const { status, currentPeriodStart, trialEnd: ended, updatedAt } = await world.show(subscription.id);
  expect([status, ended]).toEqual(['active', currentPeriodStart]);
  // Now, and not at the former end of the trial.
  const messages = await world.service.database.query<{ happened: number }>(
    'SELECT happened_at AS happened FROM tollgate.webhook_messages WHERE resource_id = $1',
    [subscription.id],
  );
  const latest = Math.max(...messages.map(({ happened }) => happened), Date.parse(String(updatedAt)));
  expect(latest).toBeLessThanOrEqual(await world.now());
});

test('a plan that the provider does not know is refused before it is called', async () => {
  const subscription = await row.subscribe();
  const before = await row.terms(subscription);
  const { planGroupId } = world.plans.pro;
  const unmapped = await world.seed.plan(`extra-${randomUUID().slice(0, 8)}`, [], {
    plan_group_id: planGroupId,
    price_amount: 20_000,
    pricing: 'per_seat',
  });
  const { status, body } = await world.command(subscription.id, 'change', { planId: unmapped.planId });
  expect([status, body['code']]).toEqual([422, 'plan_not_mapped']);
  expect(await row.terms(subscription)).toEqual(before);
  expect(row.updates(subscription)).toBe(0);
});

test('a failure of the provider is a refusal without a charge, and the next attempt goes through', async () => {
  const subscription = await row.subscribe();
  const before = await row.terms(subscription);
  const key = randomUUID();
  row.meet(subscription, 'none', 'answer_500');
  const refused = await world.change(subscription.id, { plan: 'large' }, key);
  expect([refused.status, refused.body['code'], refused.body['providerCode']]).toEqual([
    409,
    'provider_refused',
    'provider_failed',
  ]);
  expect(await row.terms(subscription)).toEqual(before);
  const again = await world.change(subscription.id, { plan: 'large' }, key);
  expect([again.status, again.body['effective']]).toEqual([200, 'immediate']);
  await world.settle();
  expect(row.collected(subscription)).toHaveLength(2);
});

test('a charge whose answer was lost is pending, nothing is granted early, and it is charged once', async () => {
  const subscription = await row.subscribe();
  const before = await row.terms(subscription);
  const key = randomUUID();
  row.meetSilence(subscription);
  const accepted = await world.change(subscription.id, { plan: 'large' }, key);
  expect([accepted.status, accepted.body['status']]).toEqual([202, 'accepted']);
  // The provider's own event of the change arrives and changes nothing.
  await row.deliverLost();
  expect(await row.terms(subscription)).toEqual(before);
  expect(await row.capabilities(subscription)).toMatchObject({
    cancel: 'provider_unsettled',
    planChange: 'provider_unsettled',
  });
  const meanwhile = await world.change(subscription.id, { seats: 2 });
  expect([meanwhile.status, meanwhile.body['code']]).toEqual([409, 'capability_unavailable']);

  await row.settleLater();
  expect(await row.operation(accepted)).toMatchObject({ status: 'succeeded', answer: { status: 200 } });
  const replayed = await world.change(subscription.id, { plan: 'large' }, key);
  expect([replayed.status, replayed.body['effective']]).toEqual([200, 'immediate']);
  expect(await row.summary(subscription)).toBe('active, large × 1');
  expect(row.collected(subscription)).toHaveLength(2);
  expect(row.updates(subscription)).toBe(1);
});

test('a key that is refused says nothing of what was charged and could not be said: it is given once a key is accepted', async () => {
  const subscription = await row.subscribe();
  row.meetSilence(subscription);
  const accepted = await world.change(subscription.id, { plan: 'large' });
  expect(accepted.status).toBe(202);
  await rotate(fakeSecret('sk_test_'));
  await row.settleLater();
  expect(await row.operation(accepted)).toMatchObject({ status: 'accepted' });
  expect(await row.capabilities(subscription)).toMatchObject({ cancel: 'provider_unsettled' });

  await expectSuccessWithOwnKey(accepted, subscription);
  expect(row.updates(subscription)).toBe(1);
});

test.each([
  ['', false],
  [', also after a migration to another credential key', true],
])(
  'a key of another account says nothing of what was charged in the first%s: it is given once that one is back',
  async (_, isMigrated) => {
    const subscription = await row.subscribe();
    const { secretKey = '', webhookSecret = '' } = world.secrets.provider_a;
    if (isMigrated) await sealAgain();
    const otherKey = fakeSecret('sk_test_');
    world.simulators.providers.a.account({
      secretKey: otherKey,
      webhookSecret,
      webhookUrl: world.service.urls.sandbox,
    });
    row.meetSilence(subscription);
    const accepted = await world.change(subscription.id, { plan: 'large' });
    expect(accepted.status).toBe(202);
    await rotate(otherKey);
    await row.settleLater();
    expect(await row.operation(accepted)).toMatchObject({ status: 'accepted' });

    await rotate(secretKey);
    row.lose(false);
    await world.advanceBy(HOUR_MS);
    expect(await row.operation(accepted)).toMatchObject({ status: 'succeeded' });
    expect(await row.summary(subscription)).toBe('active, large × 1');
    expect(row.updates(subscription)).toBe(1);
  },
);

test('a key that is refused before anything was sent is a refusal', async () => {
  const subscription = await row.subscribe();
  const before = await row.terms(subscription);
  await rotate(fakeSecret('sk_test_'));
  const refused = await world.change(subscription.id, { plan: 'large' });
  await rotate(world.secrets.provider_a['secretKey'] ?? '');
  expect([refused.status, refused.body['providerCode']]).toEqual([409, 'authentication_failed']);
  expect(await row.terms(subscription)).toEqual(before);
});

test.each(['before_call', 'after_call'] as const)(
  'a process that dies %s gives nothing early, and is charged once',
  async (where) => {
    const subscription = await row.subscribe();
    const before = await row.terms(subscription);
    row.dieWithNextCommand(where);
    const accepted = await world.change(subscription.id, { plan: 'large' });
    expect(accepted.status).toBe(202);
    await deliverWebhooks(world.simulators.core.outbox);
    expect(await row.terms(subscription)).toEqual(before);
    await row.settleLater();
    expect(await row.operation(accepted)).toMatchObject({ status: 'succeeded' });
    expect(await row.summary(subscription)).toBe('active, large × 1');
    expect(await row.access(subscription)).toBe(10_000);
    expect(row.collected(subscription)).toHaveLength(2);
    expect(await row.kinds(subscription)).toEqual(['upgraded']);
  },
);

test('a command whose run ended after the charge, and that another run meets a refused key with, is not refused', async () => {
  const subscription = await row.subscribe();
  const key = randomUUID();
  row.lose(true);
  row.dieWithNextCommand('after_call');
  const accepted = await world.change(subscription.id, { plan: 'large' }, key);
  expect(accepted.status).toBe(202);

  await rotate(fakeSecret('sk_test_'));
  // Sent again, as for a workflow that was terminated, or that Temporal has lost.
  expect((await world.change(subscription.id, { plan: 'large' }, key)).status).toBe(202);
  expect(await row.operation(accepted)).toMatchObject({ status: 'accepted' });

  await expectSuccessWithOwnKey(accepted, subscription);
});

test.each([{ planSlug: 'large' }, { seats: 3 }])(
  'a change to %j of one of two items with plans of ours is refused, and so is its preview',
  async (body) => {
    const subscription = await row.subscribe({ seats: 2 });
    await row.updateAtProvider(subscription, {
      'items[0][price]': 'price_starter',
      proration_behavior: 'none',
    });
    const path = `/api/billing/subscriptions/${subscription.id}/change`;
    const preview = await world.operator.post(path, { body, query: { dryRun: 'true' } });
    const change = await world.command(subscription.id, 'change', body);
    const refused = { status: 409, body: { code: 'provider_refused', providerCode: 'ambiguous_item' } };
    expect([preview, change]).toMatchObject([refused, refused]);
    expect(await row.summary(subscription)).toBe('active, pro × 2');
  },
);

test('a smaller plan is scheduled even so, and so is its preview', async () => {
  const subscription = await row.subscribe({ seats: 2 });
  await row.updateAtProvider(subscription, { 'items[0][price]': 'price_large', proration_behavior: 'none' });
  const path = `/api/billing/subscriptions/${subscription.id}/change`;
  const body = { planSlug: 'starter' };
  const preview = await world.operator.post(path, { body, query: { dryRun: 'true' } });
  const change = await world.command(subscription.id, 'change', body);
  const scheduled = { status: 200, body: { effective: 'next_renewal' } };
  expect([preview, change]).toMatchObject([scheduled, scheduled]);
});
