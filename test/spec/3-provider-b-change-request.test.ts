import { randomUUID } from 'node:crypto';
import { actAtProviderB } from '../support/act-at-provider-b';
import { periodEnd } from '../support/provider-row';
import type { Shown } from '../support/provider-world';
import { useProviderRow } from '../support/use-provider-world';

/** Section 3, provider B, plan or seat change request: unchanged until the customer, who is asked, confirms. */
const { world, row } = useProviderRow();
test.each([
  ['a larger plan', { plan: 'large' }, 'large', 2],
  ['a smaller plan', { plan: 'starter' }, 'starter', 2],
  ['more seats', { seats: 5 }, 'pro', 5],
  ['fewer seats', { seats: 1 }, 'pro', 1],
] as const)('%s: nothing changes, and the customer is to approve it', async (_, wanted, plan, seats) => {
  const sub = await world.subscribe('provider_b', { seats: 2 });
  const before = await world.show(sub.id);
  const key = randomUUID();
  const answer = await world.change(sub.id, wanted, key);
  expect([answer.status, answer.body]).toMatchObject([
    200,
    {
      effective: 'after_confirmation',
      effectiveAt: before.currentPeriodEnd,
      requiresCustomerAction: true,
      approvalUrl: expect.stringMatching(/^http/) as string,
      subscription: { plan: { slug: 'pro' }, seats: 2, scheduledChange: null },
    },
  ]);
  expect(answer.body).not.toHaveProperty('transaction');
  const { approvalUrl } = answer.body;
  await world.settle();
  const shown = await world.show(sub.id);
  expect(shown).toMatchObject({
    plan: { slug: 'pro' },
    seats: 2,
    scheduledChange: null,
    pendingApproval: { plan: { slug: plan }, seats, approvalUrl },
    waitingFor: expect.stringMatching(/^A change is waiting for the customer’s approval/) as string,
  });
  expect(await row.access(sub)).toBe(1_000);
  expect(await world.atProvider(sub)).toMatchObject({ planReference: 'P-PRO', quantity: 2 });
  expect(await row.capabilities(sub)).toMatchObject({
    cancel: 'available',
    planChange: 'available',
    seatChange: 'available',
  });
  const target = seats === 1 ? plan : `${plan} × ${seats}`;
  const message = `${sub.externalId} is asked to approve the change from pro × 2 to ${target}.`;
  expect(await row.timeline(sub)).toEqual([{ kind: 'change_requested', message }]);
  expect(await row.events(sub, 'change_requested')).toEqual(['OK']);
  expect(await row.upcoming(sub)).toEqual(
    expect.arrayContaining([
      'The customer’s approval is checked at the payment provider',
      'The change is dropped because the customer has not approved it',
    ]),
  );

  const replay = await world.change(sub.id, wanted, key);
  expect([replay.status, replay.body]).toEqual([200, answer.body]);
  expect(await row.kinds(sub)).toEqual(['change_requested']);
});

test('a connection’s return address that is none does not prevent a change', async () => {
  const path = `/api/provider-connections/${world.connections.provider_b}`;
  await world.operator.patch(path, { body: { settings: { returnUrl: 'shop.example/back' } } });
  const sub = await world.subscribe('provider_b');
  expect(await world.change(sub.id, { plan: 'large' })).toMatchObject({
    status: 200,
    body: { requiresCustomerAction: true },
  });
  await world.operator.patch(path, { body: { settings: { returnUrl: null } } });
});

test('a preview says so, and sends nothing', async () => {
  const sub = await world.subscribe('provider_b');
  const { status, body } = await world.operator.post(`/api/billing/subscriptions/${sub.id}/change`, {
    body: { planId: world.plans.large.planId },
    query: { dryRun: 'true' },
  });
  expect([status, body]).toMatchObject([
    200,
    { effective: 'after_confirmation', requiresCustomerAction: true, steps: expect.any(Array) as unknown[] },
  ]);
  expect(body).not.toHaveProperty('approvalUrl');
  expect(await world.show(sub.id)).toMatchObject({ pendingApproval: null });
});

test('a preview says what the change takes the place of, as the change does', async () => {
  const { id } = await world.subscribe('provider_b');
  const dry = (planId: string) =>
    world.operator.post(`/api/billing/subscriptions/${id}/change`, {
      body: { planId },
      query: { dryRun: 'true' },
    });
  await world.change(id, { plan: 'large' });
  const { body: preview } = await dry(world.plans.starter.planId);
  const { body: replaced } = await world.change(id, { plan: 'starter' });
  expect(preview['withdraws']).toMatchObject({ plan: { slug: 'large' } });
  expect(preview['withdraws']).toEqual(replaced['withdrawn']);

  // A confirmed change stays until another one is confirmed.
  await world.pay('provider_b', String(replaced['approvalUrl']));
  await world.settle();
  expect((await dry(world.plans.large.planId)).body['withdraws']).toBeNull();
  expect((await world.change(id, { plan: 'large' })).body['withdrawn']).toBeUndefined();
});

test('while the connection is disabled, capabilities say so, and preview, change and other commands are refused', async () => {
  const sub = await world.subscribe('provider_b');
  const before = await row.terms(sub);
  const listed = async () => {
    const { body } = await world.operator.get('/api/billing/subscriptions', { query: { take: '200' } });
    return (body['data'] as Shown[]).find(({ id }) => id === sub.id)?.capabilities;
  };
  const disable = (disabled: boolean) =>
    world.operator.patch(`/api/provider-connections/${world.connections.provider_b}`, { body: { disabled } });
  await disable(true);
  const off = { available: false, reasonCode: 'connection_disabled' };
  const expected = { cancel: off, planChange: off, seatChange: off, reactivate: { supported: false } };
  expect(await listed()).toMatchObject(expected);
  expect((await world.show(sub.id)).capabilities).toMatchObject(expected);
  const answers = [
    await world.operator.post(`/api/billing/subscriptions/${sub.id}/change`, {
      body: { seats: 9 },
      query: { dryRun: 'true' },
    }),
    await world.change(sub.id, { seats: 9 }),
    await world.command(sub.id, 'cancel'),
  ];
  await disable(false);
  for (const { status, body } of answers)
    expect([status, body['code']]).toEqual([409, 'connection_disabled']);
  expect(await row.terms(sub)).toEqual(before);
  expect((await listed())?.['cancel']).toMatchObject({ available: true, reasonCode: null });
  expect((await world.change(sub.id, { seats: 9 })).status).toBe(200);
});

test('the customer who turns back on the page has confirmed nothing, and can still approve', async () => {
  const sub = await world.subscribe('provider_b');
  const { body } = await world.change(sub.id, { plan: 'large' });
  const page = String(body['approvalUrl']);
  const declined = await fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ choice: 'decline' }),
    redirect: 'manual',
  });
  expect(declined.status).toBe(303);
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ plan: { slug: 'pro' }, scheduledChange: null });
  await world.pay('provider_b', page);
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ scheduledChange: { plan: { slug: 'large' } } });
});

test('what the provider refuses changes nothing, and the next attempt is asked anew', async () => {
  const sub = await world.subscribe('provider_b');
  const before = await row.terms(sub);
  const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
  const large = { id: 'P-LARGE', name: 'large', price: { value: '90.00', currency_code: 'USD' } };
  const sell = (productId: string): void => {
    world.simulators.providers.b.account({ clientId, clientSecret, plans: [{ ...large, productId }] });
  };
  sell('PROD-OTHER');
  const key = randomUUID();
  const refused = await world.change(sub.id, { plan: 'large' }, key);
  expect([refused.status, refused.body['code'], refused.body['providerCode']]).toEqual([
    409,
    'provider_refused',
    'PLAN_PRODUCT_NOT_COMPATIBLE',
  ]);
  expect(await row.terms(sub)).toEqual(before);
  expect(await row.kinds(sub)).toEqual(['change_refused']);
  expect(await row.capabilities(sub)).toMatchObject({ planChange: 'available' });

  sell('PROD-DEMO');
  const again = await world.change(sub.id, { plan: 'large' }, key);
  expect(again).toMatchObject({ status: 200, body: { requiresCustomerAction: true } });
});

test('one that has ended at the provider without a webhook is refused, and then read', async () => {
  const sub = await world.subscribe('provider_b');
  row.lose(true);
  const { adapter, access } = await world.open('provider_b');
  const { reference } = sub;
  await adapter.cancelSubscription(access, {
    reference,
    key: randomUUID(),
    repeated: false,
    reason: 'Dashboard.',
  });
  expect(await world.change(sub.id, { plan: 'large' })).toMatchObject({
    status: 409,
    body: {
      code: 'capability_unavailable',
      detail: 'The subscription has ended at the payment provider, so it cannot be changed.',
      capability: { name: 'planChange', available: false, reasonCode: 'subscription_ended' },
    },
  });
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled' });
  expect(await row.kinds(sub)).toEqual(['change_refused', 'cancelled']);
});

test('what changes nothing, and what cannot be billed, is refused before the provider is asked', async () => {
  const sub = await world.subscribe('provider_b');
  const before = await row.terms(sub);
  row.break('provider_b', '/v1/billing', 'answer_500');
  expect(await world.change(sub.id, { plan: 'pro' })).toMatchObject({
    status: 409,
    body: { code: 'change_without_effect' },
  });
  const other = await world.seed.plan('unmapped', [], { plan_group_id: world.plans.pro.planGroupId });
  expect(await world.command(sub.id, 'change', { planId: other.planId })).toMatchObject({
    status: 422,
    body: { code: 'plan_not_mapped' },
  });
  expect(await row.terms(sub)).toEqual(before);
});

test('a subscription that was paid with a card has nobody to ask: no link, and it comes with the renewal', async () => {
  const checkout = await world.operator.post('/api/billing/checkouts', {
    body: { externalId: await customer(), planSlug: 'pro', provider: 'provider_b' },
    headers: { 'Idempotency-Key': randomUUID() },
  });
  const page = String(checkout.body['url']);
  await fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ choice: 'approve_card' }),
    redirect: 'manual',
  });
  await world.settle();
  const id = String(checkout.body['subscriptionId']);
  const answer = await world.change(id, { plan: 'large' });
  expect(answer).toMatchObject({
    status: 200,
    body: { effective: 'after_confirmation', requiresCustomerAction: false },
  });
  expect(answer.body).not.toHaveProperty('approvalUrl');
  await world.settle();
  const shown = await world.show(id);
  expect(shown).toMatchObject({
    plan: { slug: 'pro' },
    pendingApproval: null,
    scheduledChange: { plan: { slug: 'large' } },
  });
  expect((await row.timeline({ id })).map(({ message }) => message)).toEqual([
    expect.stringContaining('changes from pro to large with the next renewal.'),
  ]);
  await world.advanceTo(periodEnd(shown) + 60_000);
  expect(await world.show(id)).toMatchObject({ plan: { slug: 'large' }, scheduledChange: null });
});

async function customer(): Promise<string> {
  const externalId = `card-${randomUUID()}`;
  await world.seed.customer(externalId);
  return externalId;
}

test('one that B refuses because its payments are suspended says so, and the subscription is read immediately', async () => {
  const sub = await world.subscribe('provider_b');
  row.lose(true);
  await actAtProviderB(world, sub, 'suspend');
  const answer = await world.change(sub.id, { plan: 'large' });
  expect(answer).toMatchObject({
    status: 409,
    body: {
      code: 'capability_unavailable',
      detail:
        'Payments are suspended at the payment provider. Once they are resumed, the subscription can be changed.',
      capability: { name: 'planChange', available: false, reasonCode: 'payment_past_due' },
    },
  });
  await world.settle();
  expect((await world.show(sub.id)).status).toBe('past_due');
  expect(await row.kinds(sub)).toEqual(['change_refused', 'became_past_due']);
  expect(await row.capabilities(sub)).toMatchObject({ cancel: 'available', planChange: 'payment_past_due' });
});

test('one whose end cannot be read immediately is said to be read again, and not to have ended or renewed', async () => {
  const sub = await world.subscribe('provider_b');
  row.lose(true);
  const { adapter, access } = await world.open('provider_b');
  const { reference } = sub;
  const cancellation = { reference, key: randomUUID(), repeated: false, reason: 'Dashboard.' };
  await adapter.cancelSubscription(access, cancellation);
  expect(await world.change(sub.id, { plan: 'large' })).toMatchObject({ status: 409 });
  row.break('provider_b', `/v1/billing/subscriptions/${reference}`, 'answer_500');
  await world.settle();
  const { currentPeriodEnd, waitingFor } = await world.show(sub.id);
  expect(waitingFor).toMatch(/^The subscription is checked at the payment provider at /);
  expect((await row.timeline(sub)).at(-1)?.message).toMatch(
    /^The subscription of \S+ could not be read at the payment provider: /,
  );
  expect((await row.upcoming(sub)).slice(0, 2)).toEqual([
    'The subscription is checked at the payment provider',
    expect.stringMatching(/^The payment provider renews pro for /),
  ]);
  row.hearAgain();
  row.lose(true);
  await world.advanceBy(10 * 60_000);
  expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled', currentPeriodEnd });
});
