import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '../../src/domain/instant';
import { ProviderCRig } from '../support/provider-c-rig';
import { periodEnd } from '../support/provider-row';
import type { WorldSubscription } from '../support/provider-world';
import { useProviderRow } from '../support/use-provider-world';

/**
 * A renewal that was charged but whose webhook was lost and that could not be read; then a command arrives, or the
 * customer returns.
 */
const { world, row } = useProviderRow();
let rig: ProviderCRig;
beforeAll(() => {
  rig = new ProviderCRig(world);
});

/** Advances past the end of the period at the provider while nothing about it is received here. */
async function turnUnheard(sub: WorldSubscription, path: '/subscription' | '/v1/billing'): Promise<number> {
  const end = periodEnd(await world.show(sub.id));
  row.lose(true);
  row.break(sub.provider, path, 'answer_500');
  await world.advanceTo(end + MINUTE_MS);
  world.simulators.core.faults.clear();
  expect(periodEnd(await world.show(sub.id))).toBe(end);
  expect(await rig.amountsPaid(sub)).toEqual(['3000']);
  return end;
}

describe('provider C', () => {
  test('cancelled then, the paid period runs to its end, and the cancellation can be taken back', async () => {
    const sub = await world.subscribe('provider_c');
    const end = await turnUnheard(sub, '/subscription');
    const { currentPeriodEnd } = await world.atProvider(sub);
    const { status, body } = await world.command(sub.id, 'cancel');
    expect([status, Date.parse(String(body['effectiveAt']))]).toEqual([200, currentPeriodEnd]);
    expect(await world.show(sub.id)).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
      currentPeriodStart: new Date(end).toISOString(),
      currentPeriodEnd: new Date(currentPeriodEnd ?? 0).toISOString(),
    });
    expect(await rig.amountsPaid(sub)).toEqual(['3000', '3000']);
    await world.advanceBy(10 * MINUTE_MS);
    expect(await row.capabilities(sub)).toMatchObject({
      cancel: 'already_cancelling',
      reactivate: 'available',
    });
    expect((await world.command(sub.id, 'reactivate')).status).toBe(200);
    expect(await world.atProvider(sub)).toMatchObject({ cancelAtPeriodEnd: false, currentPeriodEnd });
  });

  test('stopped on the provider’s page then, it is read with the period that was paid', async () => {
    const sub = await world.subscribe('provider_c');
    const end = await turnUnheard(sub, '/subscription');
    const { currentPeriodEnd } = await world.atProvider(sub);
    await rig.pressOnPage(sub);
    await world.advanceBy(10 * MINUTE_MS);
    const shown = await world.show(sub.id);
    expect([shown.cancelAtPeriodEnd, Date.parse(shown.currentPeriodStart), periodEnd(shown)]).toEqual([
      true,
      end,
      currentPeriodEnd,
    ]);
    expect(await row.capabilities(sub)).toMatchObject({ reactivate: 'available' });
    await world.advanceTo(periodEnd(shown) + MINUTE_MS);
    expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled' });
    expect(await rig.amountsPaid(sub)).toEqual(['3000', '3000']);
  });

  test('two of them are paid and not heard of: cancelled then, the last one runs to its end', async () => {
    const sub = await world.subscribe('provider_c');
    await turnUnheard(sub, '/subscription');
    const second = (await world.atProvider(sub)).currentPeriodEnd ?? 0;
    row.break('provider_c', '/subscription', 'answer_500');
    await world.advanceTo(second + MINUTE_MS);
    world.simulators.core.faults.clear();
    const { currentPeriodEnd } = await world.atProvider(sub);
    expect((await world.command(sub.id, 'cancel')).status).toBe(200);
    const shown = await world.show(sub.id);
    expect([Date.parse(shown.currentPeriodStart), periodEnd(shown)]).toEqual([second, currentPeriodEnd]);
    expect(await rig.amountsPaid(sub)).toEqual(['3000', '3000', '3000']);
  });
});

test('provider B: cancelled then, which ends it at once, what was charged is on record and can be refunded', async () => {
  const sub = await world.subscribe('provider_b');
  await turnUnheard(sub, '/v1/billing');
  expect((await world.command(sub.id, 'cancel')).body).toMatchObject({
    subscription: { status: 'cancelled' },
  });
  expect(await rig.amountsPaid(sub)).toEqual(['3000', '3000']);
});

test('provider B: another change asked for then is told after the one that the renewal brought, which counts from it', async () => {
  const sub = await subscribeByCard();
  await world.change(sub.id, { plan: 'starter' });
  const end = await turnUnheard(sub, '/v1/billing');
  const { body } = await world.change(sub.id, { plan: 'pro' });
  expect(body).toMatchObject({ requiresCustomerAction: false, subscription: { plan: { slug: 'starter' } } });
  expect(await world.show(sub.id)).toMatchObject({
    currentPeriodStart: new Date(end).toISOString(),
    scheduledChange: { plan: { slug: 'pro' } },
    pendingApproval: null,
  });
  expect((await row.kinds(sub)).slice(-3)).toEqual([
    'scheduled_change_applied',
    'period_turned',
    'change_requested',
  ]);
  expect((await row.timeline(sub)).at(-1)?.message).toContain(
    'changes from starter to pro with the next renewal',
  );
  expect(await rig.amountsPaid(sub)).toEqual(['3000', '1000']);
});

test('provider B: the preview of a change is refused before it is read, and has nothing read earlier', async () => {
  const sub = await world.subscribe('provider_b');
  row.lose(true);
  await world.moveClocks(periodEnd(await world.show(sub.id)) + MINUTE_MS);
  await world.service.database.query('DELETE FROM graphile_worker._private_jobs');
  const { status } = await world.operator.post(`/api/billing/subscriptions/${sub.id}/change`, {
    body: { seats: 2 },
    query: { dryRun: 'true' },
  });
  expect(status).toBe(503);
  expect(
    await world.service.database.query('SELECT FROM graphile_worker._private_jobs WHERE key = $1', [
      `subscription/sandbox/${sub.id}`,
    ]),
  ).toEqual([]);
});

/** Subscribes with a card, which needs no approval. */
async function subscribeByCard(): Promise<WorldSubscription> {
  const externalId = `card-${randomUUID()}`;
  await world.seed.customer(externalId);
  const { body } = await world.operator.post('/api/billing/checkouts', {
    body: { externalId, planSlug: 'pro', provider: 'provider_b' },
    headers: { 'Idempotency-Key': randomUUID() },
  });
  const choice = new URLSearchParams({ choice: 'approve_card' });
  await fetch(String(body['url']), { method: 'POST', body: choice, redirect: 'manual' });
  await world.settle();
  const id = String(body['subscriptionId']);
  const { providerReference } = await world.show(id);
  return { id, provider: 'provider_b', reference: String(providerReference), externalId, email: '' };
}
