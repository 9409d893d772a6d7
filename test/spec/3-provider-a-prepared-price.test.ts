import { MINUTE_MS } from '../../src/domain/instant';
import { periodEnd } from '../support/provider-row';
import { useProviderARow } from '../support/use-provider-world';

/** Section 3, provider A: commands while the provider may already have the price of a scheduled change. */
const { world, row } = useProviderARow();

test('a cancel that is refused after the price was restored has it prepared again', async () => {
  const { subscription, end } = await row.inWindow();
  await world.settle();
  // A read that the webhook of the restored price causes would use up the fault.
  row.lose(true);
  // The requests: a read, then a read and a write each for the restored price and the cancellation.
  row.meet(subscription, 'none', 'none', 'none', 'none', 'answer_500');
  const refused = await world.command(subscription.id, 'cancel');
  row.lose(false);
  expect([refused.status, refused.body['providerCode']]).toEqual([409, 'provider_failed']);
  expect([await row.billed(subscription), await row.marker(subscription)]).toMatchObject([
    'price_pro × 2',
    { state: 'claimed' },
  ]);
  await world.settle();
  expect([await row.billed(subscription), await row.marker(subscription)]).toMatchObject([
    'price_starter × 2',
    { state: 'prepared' },
  ]);
  await world.advanceTo(end + MINUTE_MS);
  expect(await row.summary(subscription)).toBe('active, starter × 2');
  expect(row.collected(subscription)).toEqual(['subscription_create 6000', 'subscription_cycle 2000']);
});

test.each(['answered', 'unheard'])(
  'an upgrade counts from the plan of now, also when the provider has the smaller one (%s)',
  async (how) => {
    const { subscription } = await row.inWindow();
    // A read that a webhook causes would use up a fault.
    if (how === 'unheard') row.lose(true);
    await row.dieInStep(subscription, 'after_call');
    // The requests: a read, then a read and a write each for the restored price and the change.
    const looks = ['none', 'none', 'none', 'none'] as const;
    if (how === 'unheard') row.meet(subscription, ...looks, 'cut_after_commit', 'answer_500');
    const { status } = await world.change(subscription.id, { plan: 'large' });
    expect(status).toBe(200);
    await world.settle();
    expect(await row.summary(subscription)).toBe('active, large × 2');
    expect(await row.billed(subscription)).toBe('price_large × 2');
    const paid = row.collected(subscription).slice(1);
    expect(paid).toHaveLength(1);
    // Two seats of 90 less two of 30, prorated to five hours of a month; less two of 10 it would be a third more.
    const amount = Number(paid[0]?.split(' ')[1]);
    expect(amount).toBeGreaterThan(75);
    expect(amount).toBeLessThan(95);
  },
);

test('a withdrawal of unknown outcome is resolved before the renewal is read', async () => {
  const { subscription, end } = await row.inWindow();
  await world.settle();
  row.lose(true);
  // The withdrawal first reads whether the provider has renewed.
  row.meet(subscription, 'none');
  row.meetSilence(subscription);
  const accepted = await world.withdraw(subscription.id);
  expect(accepted.status).toBe(202);
  expect([await row.billed(subscription), await row.summary(subscription)]).toEqual([
    'price_pro × 2',
    'active, pro × 2, then starter × 2',
  ]);
  row.lose(false);
  await world.advanceTo(end + MINUTE_MS);
  expect(await row.operation(accepted)).toMatchObject({ status: 'succeeded' });
  expect(await row.summary(subscription)).toBe('active, pro × 2');
  expect(await row.access(subscription)).toBe(1_000);
  expect(row.collected(subscription)).toEqual(['subscription_create 6000', 'subscription_cycle 6000']);
  // The renewal is reported although the withdrawal came upon it.
  expect(await row.kinds(subscription)).toEqual([
    'downgrade_scheduled',
    'renewal_prepared',
    'scheduled_change_withdrawn',
    'period_turned',
  ]);
});

test('a downgrade that is withdrawn and asked for again before the same renewal comes with it', async () => {
  const { subscription, end } = await row.inWindow();
  await world.settle();
  expect((await world.withdraw(subscription.id)).status).toBe(200);
  expect(await row.billed(subscription)).toBe('price_pro × 2');
  await world.advanceTo(end - 50 * MINUTE_MS);
  expect((await world.change(subscription.id, { plan: 'starter' })).status).toBe(200);
  await world.settle();
  expect(await row.marker(subscription)).toMatchObject({ state: 'prepared' });
  expect(await row.billed(subscription)).toBe('price_starter × 2');
  await world.advanceTo(end + MINUTE_MS);
  expect(row.collected(subscription)).toEqual(['subscription_create 6000', 'subscription_cycle 2000']);
  expect(await row.summary(subscription)).toBe('active, starter × 2');
});

test('a withdrawal waits until a cancel of unknown outcome is resolved', async () => {
  const { subscription, end } = await row.inWindow();
  await world.settle();
  row.lose(true);
  row.break('provider_a', `/v1/subscriptions/${subscription.reference}`, 'answer_500');
  const accepted = await world.command(subscription.id, 'cancel');
  expect(accepted.status).toBe(202);
  row.hearAgain();
  const withdrawn = await world.withdraw(subscription.id);
  expect(withdrawn).toMatchObject({
    status: 409,
    body: { code: 'capability_unavailable', capability: { reasonCode: 'provider_unsettled' } },
  });
  await row.settleLater();
  expect(await row.summary(subscription)).toBe('active, pro × 2, ends');
  await world.advanceTo(end + 30 * MINUTE_MS);
  expect(await row.operation(accepted)).toMatchObject({ status: 'succeeded' });
  expect(await row.summary(subscription)).toContain('cancelled');
  expect(row.collected(subscription)).toEqual(['subscription_create 6000']);
});

test('a dry run answers as the change would: it does not wait for the provider', async () => {
  const { subscription } = await row.inWindow();
  const { id } = subscription;
  expect(await dryRun(id, 'large')).toMatchObject({ status: 200, body: { dryRun: true } });
  expect(await dryRun(id, 'pro')).toMatchObject({ status: 409 });
  expect((await dryRun(id, 'pro')).body['code']).toBe((await world.change(id, { plan: 'pro' })).body['code']);
});

test('a dry run is refused as the change is while the outcome of a request is unknown', async () => {
  const { subscription } = await row.inWindow();
  const { id } = subscription;
  await world.settle();
  row.lose(true);
  row.break('provider_a', `/v1/subscriptions/${subscription.reference}`, 'answer_500');
  expect((await world.command(id, 'cancel')).status).toBe(202);
  // The call is about to be retried.
  await row.passTo((await world.now()) + 30 * MINUTE_MS);
  const refused = { status: 409, body: { capability: { reasonCode: 'provider_unsettled' } } };
  expect(await dryRun(id, 'large')).toMatchObject(refused);
  expect(await world.change(id, { plan: 'large' })).toMatchObject(refused);
});

describe('a renewal that was charged at the prepared price, and not read yet', () => {
  async function unread() {
    const { subscription, end } = await row.inWindow();
    await world.settle();
    row.lose(true);
    row.meet(subscription, ...Array.from({ length: 12 }, () => 'answer_500' as const));
    await world.advanceTo(end + MINUTE_MS);
    world.simulators.core.faults.clear();
    expect(await row.summary(subscription)).toBe('active, pro × 2, then starter × 2');
    expect(row.collected(subscription)).toEqual(['subscription_create 6000', 'subscription_cycle 2000']);
    return { subscription, end };
  }

  test('is not withdrawn any more', async () => {
    const { subscription } = await unread();
    expect(await world.withdraw(subscription.id)).toMatchObject({
      status: 409,
      body: { code: 'capability_unavailable', capability: { reasonCode: 'renewal_prepared' } },
    });
    await row.deliverLost();
    await world.settle();
    expect(await row.summary(subscription)).toBe('active, starter × 2');
    expect(await row.billed(subscription)).toBe('price_starter × 2');
  });

  test('stays the plan of a subscription that is cancelled then', async () => {
    const { subscription, end } = await unread();
    expect((await world.command(subscription.id, 'cancel')).status).toBe(200);
    expect(await row.summary(subscription)).toBe('active, starter × 2, ends');
    expect(await row.billed(subscription)).toBe('price_starter × 2');
    await row.deliverLost();
    await world.settle();
    expect(await row.summary(subscription)).toBe('active, starter × 2, ends');
    const kinds = await row.kinds(subscription);
    expect(kinds).toContain('scheduled_change_applied');
    expect(kinds).not.toContain('scheduled_change_withdrawn');
    expect(Date.parse((await world.show(subscription.id)).currentPeriodEnd)).toBeGreaterThan(end);
  });
});

test('a renewal that may have been charged at a price whose sending was not confirmed has no other change scheduled', async () => {
  const { subscription, end } = await row.inWindow();
  row.lose(true);
  await row.dieInStep(subscription, 'after_call');
  row.meet(subscription, ...Array.from({ length: 60 }, () => 'answer_500' as const));
  await world.advanceTo(end + MINUTE_MS);
  world.simulators.core.faults.clear();
  expect(row.collected(subscription)).toEqual(['subscription_create 6000', 'subscription_cycle 2000']);
  expect(await row.summary(subscription)).toBe('active, pro × 2, then starter × 2');
  expect(await world.change(subscription.id, { seats: 1 })).toMatchObject({
    status: 409,
    body: { code: 'capability_unavailable', capability: { reasonCode: 'renewal_prepared' } },
  });
  await row.deliverLost();
  await world.settle();
  expect(await row.summary(subscription)).toBe('active, starter × 2');
});

describe('a renewal that was charged at the prepared price, by a provider whose clock is ahead,', () => {
  async function ahead() {
    const { subscription, end } = await row.inWindow();
    await world.settle();
    row.lose(true);
    await world.moveClocks(end - 3 * MINUTE_MS);
    await world.simulators.core.clock.advanceTo(end + MINUTE_MS);
    await world.simulators.core.outbox.flush();
    expect(row.collected(subscription)).toEqual(['subscription_create 6000', 'subscription_cycle 2000']);
    return { subscription, end };
  }

  test('is not withdrawn any more', async () => {
    const { subscription, end } = await ahead();
    expect(await world.withdraw(subscription.id)).toMatchObject({
      status: 409,
      body: { code: 'capability_unavailable', capability: { reasonCode: 'renewal_prepared' } },
    });
    await row.deliverLost();
    await world.advanceTo(end + 2 * MINUTE_MS);
    expect(await row.summary(subscription)).toBe('active, starter × 2');
    expect(await row.billed(subscription)).toBe('price_starter × 2');
  });

  test('stays the plan of a subscription that is cancelled then', async () => {
    const { subscription, end } = await ahead();
    expect((await world.command(subscription.id, 'cancel')).status).toBe(200);
    await row.deliverLost();
    await world.advanceTo(end + 2 * MINUTE_MS);
    expect(await row.summary(subscription)).toBe('active, starter × 2, ends');
    expect(await row.billed(subscription)).toBe('price_starter × 2');
  });
});

describe('a command accepted before the renewal, which had not reached the provider when that charged the prepared price,', () => {
  async function chargedMeanwhile(
    act: (id: string) => Promise<{ status: number; body: Record<string, unknown> }>,
  ) {
    const { subscription, end } = await row.inWindow();
    await world.settle();
    row.lose(true);
    row.break('provider_a', `/v1/subscriptions/${subscription.reference}`, 'answer_500');
    const accepted = await act(subscription.id);
    expect(accepted.status).toBe(202);
    await world.advanceTo(end + MINUTE_MS);
    world.simulators.core.faults.clear();
    expect(row.collected(subscription)).toEqual(['subscription_create 6000', 'subscription_cycle 2000']);
    await world.advanceTo(end + 70 * MINUTE_MS);
    return { subscription, accepted };
  }

  test('a withdrawal: is refused, and the change has come', async () => {
    const { subscription, accepted } = await chargedMeanwhile((id) => world.withdraw(id));
    expect(await row.operation(accepted)).toMatchObject({
      status: 'refused',
      problem: { code: 'capability_unavailable', capability: { reasonCode: 'renewal_prepared' } },
    });
    await world.advanceBy(10 * MINUTE_MS);
    expect(await row.summary(subscription)).toBe('active, starter × 2');
    expect(await row.billed(subscription)).toBe('price_starter × 2');
    expect(await row.kinds(subscription)).not.toContain('scheduled_change_withdrawn');
  });

  test('a cancellation: ends it with the period that was charged, on the plan of that', async () => {
    const { subscription, accepted } = await chargedMeanwhile((id) => world.command(id, 'cancel'));
    expect(await row.operation(accepted)).toMatchObject({ status: 'succeeded' });
    expect(await row.summary(subscription)).toBe('active, starter × 2, ends');
    expect(await row.billed(subscription)).toBe('price_starter × 2');
    const kinds = await row.kinds(subscription);
    expect(kinds.slice(-3)).toEqual(['scheduled_change_applied', 'period_turned', 'cancel_scheduled']);
    expect(kinds).not.toContain('scheduled_change_withdrawn');
  });
});

function dryRun(id: string, plan: 'pro' | 'large') {
  const body = { planId: world.plans[plan].planId };
  return world.operator.post(`/api/billing/subscriptions/${id}/change`, { body, query: { dryRun: 'true' } });
}

test('an attempt that was frozen before it sent the change does not undo a withdrawal after the next attempt', async () => {
  const { subscription, end } = await row.inWindow();
  await row.freezeInPreparation(subscription, async () => {
    expect(await row.marker(subscription)).toMatchObject({ state: 'prepared', attempts: 2 });
    expect((await world.withdraw(subscription.id)).status).toBe(200);
  });
  await world.settle();
  expect(await row.billed(subscription)).toBe('price_pro × 2');
  expect(await row.marker(subscription)).toBeUndefined();
  await world.advanceTo(end + MINUTE_MS);
  expect(row.collected(subscription)).toEqual(['subscription_create 6000', 'subscription_cycle 6000']);
  expect(await row.summary(subscription)).toBe('active, pro × 2');
});

test('a failure of the provider delays a preparation by a moment, although the provider repeats it for its key', async () => {
  const subscription = await row.subscribe({ seats: 2 });
  const end = periodEnd(await world.show(subscription.id));
  await world.advanceTo(end - 50 * MINUTE_MS);
  // The requests: a read, then a read and a write for the change now; the preparation reads once more.
  expect((await world.change(subscription.id, { plan: 'starter' })).status).toBe(200);
  row.meet(subscription, 'none', 'none', 'answer_500');
  await world.settle();
  expect(await row.marker(subscription)).toMatchObject({ state: 'prepared' });
  await world.advanceTo(end + MINUTE_MS);
  expect(row.collected(subscription)).toEqual(['subscription_create 6000', 'subscription_cycle 2000']);
});
