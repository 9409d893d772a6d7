import { randomUUID } from 'node:crypto';
import type { ProviderARow } from '../support/provider-a-row';
import { periodEnd } from '../support/provider-row';
import { useProviderARow } from '../support/use-provider-world';

/**
 * Section 3, provider A, reactivate: before the period ends; the subscription then renews as if it had never been
 * cancelled.
 */
const { world, row } = useProviderARow();

async function cancelled(): ReturnType<ProviderARow['subscribe']> {
  const subscription = await row.subscribe();
  await world.command(subscription.id, 'cancel');
  await world.settle();
  return subscription;
}

test('it renews again at the end of its period, and is charged once', async () => {
  const subscription = await cancelled();
  const { status, body } = await world.command(subscription.id, 'reactivate');
  expect([status, body['effective']]).toEqual([200, 'immediate']);
  expect(await row.summary(subscription)).toBe('active, pro × 1');
  expect(await world.atProvider(subscription)).toMatchObject({ status: 'active', cancelAtPeriodEnd: false });
  expect(await row.capabilities(subscription)).toEqual({
    cancel: 'available',
    reactivate: 'not_cancelling',
    planChange: 'available',
    seatChange: 'available',
  });

  await world.advanceTo(periodEnd(await world.show(subscription.id)) + 60_000);
  expect(await row.summary(subscription)).toBe('active, pro × 1');
  expect(await row.access(subscription)).toBe(1_000);
  expect(row.collected(subscription)).toEqual(['subscription_create 3000', 'subscription_cycle 3000']);
  expect(await row.kinds(subscription)).toEqual(['cancel_scheduled', 'reactivated', 'period_turned']);
  expect(await row.timeline(subscription)).toContainEqual({
    kind: 'reactivated',
    message: `${subscription.externalId}'s subscription to pro renews again.`,
  });
  expect(await row.events(subscription, 'reactivated')).toEqual(['OK']);
});

test('it renews again although a schedule was to end it', async () => {
  const subscription = await row.subscribe();
  await row.scheduleAtProvider(subscription, 'cancel');
  await world.settle();
  expect(await row.summary(subscription)).toBe('active, pro × 1, ends');
  expect((await world.command(subscription.id, 'reactivate')).status).toBe(200);
  await world.settle();
  expect(await world.atProvider(subscription)).toMatchObject({ status: 'active', cancelAtPeriodEnd: false });
  expect(await row.summary(subscription)).toBe('active, pro × 1');
});

test('a subscription that is not about to end cannot be reactivated', async () => {
  const subscription = await row.subscribe();
  const before = await row.terms(subscription);
  const { status, body } = await world.command(subscription.id, 'reactivate');
  expect([status, body['code']]).toEqual([409, 'capability_unavailable']);
  expect(body['capability']).toMatchObject({
    name: 'reactivate',
    supported: true,
    available: false,
    reasonCode: 'not_cancelling',
    reason: 'The subscription is not cancelled, so there is nothing to reactivate.',
  });
  expect(await row.terms(subscription)).toEqual(before);
  expect(row.updates(subscription)).toBe(0);
});

test('a subscription that has ended cannot be reactivated', async () => {
  const subscription = await cancelled();
  await world.advanceTo(periodEnd(await world.show(subscription.id)) + 60_000);
  const { status, body } = await world.command(subscription.id, 'reactivate');
  expect([status, body['code']]).toEqual([409, 'capability_unavailable']);
  expect(body['capability']).toMatchObject({ reasonCode: 'subscription_ended' });
  expect(await row.summary(subscription)).toMatch(/^cancelled, /);
  expect(await world.atProvider(subscription)).toMatchObject({ status: 'cancelled' });
});

test('one that has ended at the provider without a webhook is refused, and then read', async () => {
  const subscription = await cancelled();
  row.lose(true);
  await row.endAtProvider(subscription);
  const before = await row.terms(subscription);
  const { status, body } = await world.command(subscription.id, 'reactivate');
  expect([status, body['code']]).toEqual([409, 'capability_unavailable']);
  expect(body).toMatchObject({
    detail: 'The subscription has ended at the payment provider, so it cannot be reactivated.',
    capability: { name: 'reactivate', available: false, reasonCode: 'subscription_ended' },
  });
  expect(await row.terms(subscription)).toEqual(before);
  expect(await row.kinds(subscription)).toEqual(['cancel_scheduled']);
  await world.settle();
  expect(await row.summary(subscription)).toMatch(/^cancelled, /);
  expect(await row.kinds(subscription)).toEqual(['cancel_scheduled', 'cancelled']);
});

test('the same key answers the same, and of two at once one is done', async () => {
  const subscription = await cancelled();
  const key = randomUUID();
  const answers = await Promise.all([
    world.command(subscription.id, 'reactivate', {}, key),
    world.command(subscription.id, 'reactivate'),
  ]);
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  const done = answers.find(({ status }) => status === 200);
  if (answers[0].status === 200) {
    const replayed = await world.command(subscription.id, 'reactivate', {}, key);
    expect(replayed.headers.get('Idempotency-Replayed')).toBe('true');
    expect(replayed.body).toEqual(done?.body);
  }
  await world.settle();
  // The cancellation was the first change.
  expect(row.updates(subscription)).toBe(2);
  expect(await row.kinds(subscription)).toEqual(['cancel_scheduled', 'reactivated']);
});

test('a failure of the provider is a refusal, and the next attempt goes through', async () => {
  const subscription = await cancelled();
  const before = await row.terms(subscription);
  row.meet(subscription, 'none', 'answer_500');
  const refused = await world.command(subscription.id, 'reactivate');
  expect([refused.status, refused.body['providerCode']]).toEqual([409, 'provider_failed']);
  expect(await row.terms(subscription)).toEqual(before);
  expect((await world.command(subscription.id, 'reactivate')).status).toBe(200);
  expect(row.updates(subscription)).toBe(2);
});

test.each(['before_call', 'after_call'] as const)(
  'a process that dies %s leaves what the next one finishes, with one effect',
  async (where) => {
    const subscription = await cancelled();
    // Its event would report what the process could not.
    row.lose(true);
    row.dieWithNextCommand(where);
    const accepted = await world.command(subscription.id, 'reactivate');
    expect(accepted.status).toBe(202);
    expect(await row.capabilities(subscription)).toMatchObject({ reactivate: 'provider_unsettled' });
    row.lose(false);
    await row.settleLater();
    expect(await row.operation(accepted)).toMatchObject({ status: 'succeeded' });
    expect(await row.summary(subscription)).toBe('active, pro × 1');
    expect(row.updates(subscription)).toBe(2);
    expect((await row.kinds(subscription)).filter((kind) => kind === 'reactivated')).not.toEqual([]);
  },
);

test('a reactivation whose answer was lost is pending, and then answered', async () => {
  const subscription = await cancelled();
  row.meetSilence(subscription);
  const accepted = await world.command(subscription.id, 'reactivate');
  expect([accepted.status, accepted.body['status']]).toEqual([202, 'accepted']);
  expect(await row.summary(subscription)).toBe('active, pro × 1, ends');
  await row.settleLater();
  expect(await row.operation(accepted)).toMatchObject({ status: 'succeeded', answer: { status: 200 } });
  expect(row.updates(subscription)).toBe(2);
  expect(await row.kinds(subscription)).toEqual(['cancel_scheduled', 'reactivated']);
});
