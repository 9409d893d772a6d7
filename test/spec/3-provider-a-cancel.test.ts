import { randomUUID } from 'node:crypto';
import { TollgateError } from '../../src/domain/errors';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { periodEnd } from '../support/provider-row';
import { useProviderARow } from '../support/use-provider-world';

/** Section 3, provider A, cancel: active until the period ends, then not renewed. */
/** Whether the connection to Temporal fails after the command has arrived. */
let breaks = false;
const { world, row } = useProviderARow({
  commands: (direct) => ({
    send: async (command) => {
      const sent = await direct.send(command);
      if (breaks) throw new TollgateError('temporal_unavailable', 'The connection broke.');
      return sent;
    },
  }),
});

test.each(['none', 'cut_after_commit'] as const)(
  'it is cancelled although a schedule manages it, whose answer to its release meets %s',
  async (fault) => {
    const subscription = await row.subscribe();
    await row.scheduleAtProvider(subscription, 'release');
    await world.settle();
    world.fault('provider_a', '/v1/subscription_schedules', fault);
    expect((await world.command(subscription.id, 'cancel')).status).toBe(200);
    expect(await world.atProvider(subscription)).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
    expect(await row.summary(subscription)).toBe('active, pro × 1, ends');
  },
);

test('it continues until its period ends, and then ends without another charge', async () => {
  const subscription = await row.subscribe();
  const { status, body } = await world.command(subscription.id, 'cancel');
  const shown = await world.show(subscription.id);
  expect([status, body['effective'], body['effectiveAt']]).toEqual([
    200,
    'period_end',
    shown.currentPeriodEnd,
  ]);
  expect(await world.atProvider(subscription)).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
  expect(await row.summary(subscription)).toBe('active, pro × 1, ends');
  expect(await row.capabilities(subscription)).toEqual({
    cancel: 'already_cancelling',
    reactivate: 'available',
    planChange: 'cancellation_pending',
    seatChange: 'cancellation_pending',
  });
  expect(await row.access(subscription)).toBe(1_000);
  expect(await row.upcoming(subscription)).toEqual(['Ends']);
  expect(shown['waitingFor']).toBe(
    `The subscription ends at ${shown.currentPeriodEnd}, with its billing period.`,
  );

  await world.advanceTo(periodEnd(shown) + 60_000);
  expect(await world.show(subscription.id)).toMatchObject({ status: 'cancelled', waitingFor: null });
  expect(await row.access(subscription)).toBe('no_active_subscription');
  expect(row.collected(subscription)).toEqual(['subscription_create 3000']);
  expect(await row.timeline(subscription)).toEqual([
    {
      kind: 'cancel_scheduled',
      message: `${subscription.externalId}'s subscription to pro was cancelled and ends at ${shown.currentPeriodEnd}.`,
    },
    {
      kind: 'cancelled',
      message: `${subscription.externalId}'s pro was cancelled at the payment provider.`,
    },
  ]);
  expect(await row.events(subscription, 'cancel_scheduled')).toEqual(['OK']);
});

test('it continues until the period of its plan ends, also if A bills another item by the week', async () => {
  const subscription = await row.subscribe();
  row.account.price({ id: 'price_weekly', unitAmount: 500, currency: 'usd', interval: 'week' });
  await row.updateAtProvider(subscription, { 'items[0][price]': 'price_weekly', proration_behavior: 'none' });
  const shown = await world.show(subscription.id);
  const end = periodEnd(shown);
  expect((await world.command(subscription.id, 'cancel')).body['effectiveAt']).toBe(
    new Date(end).toISOString(),
  );
  // No month ends half a day after a whole number of weeks; that of 28 days has only three before its end.
  const late = end - 12 * HOUR_MS;
  await world.advanceTo(late);
  expect(await row.summary(subscription)).toBe('active, pro × 1, ends');
  const weeks = Math.floor((late - Date.parse(shown.currentPeriodStart)) / (7 * DAY_MS));
  const collected = ['subscription_create 3000', ...Array<string>(weeks).fill('subscription_cycle 500')];
  expect(row.collected(subscription)).toEqual(collected);
  // It is taken back and cancelled again like any other.
  expect((await world.command(subscription.id, 'reactivate')).status).toBe(200);
  expect(await row.summary(subscription)).toBe('active, pro × 1');
  expect((await world.command(subscription.id, 'cancel')).status).toBe(200);
  await world.advanceTo(end + 60_000);
  expect((await world.show(subscription.id)).status).toBe('cancelled');
  expect(row.collected(subscription)).toEqual(collected);
});

test('access ends with the period even when no webhook comes, and the boundary learns of the end', async () => {
  const subscription = await row.subscribe();
  row.lose(true);
  await world.command(subscription.id, 'cancel');
  const end = periodEnd(await world.show(subscription.id));
  await world.advanceTo(end + 60_000);
  expect(await world.show(subscription.id)).toMatchObject({ status: 'cancelled' });
  expect(await row.access(subscription)).toBe('no_active_subscription');
});

test('the same key answers the same, and a second cancel is answered as done', async () => {
  const subscription = await row.subscribe();
  const key = randomUUID();
  const first = await world.command(subscription.id, 'cancel', {}, key);
  const replayed = await world.command(subscription.id, 'cancel', {}, key);
  expect([replayed.status, replayed.headers.get('Idempotency-Replayed')]).toEqual([200, 'true']);
  expect(replayed.body).toEqual(first.body);
  const second = await world.command(subscription.id, 'cancel');
  expect([second.status, second.body['effective']]).toEqual([200, 'period_end']);
  expect(row.updates(subscription)).toBe(1);
  expect(await row.kinds(subscription)).toEqual(['cancel_scheduled']);
});

test('of two at once one is done, and both are answered', async () => {
  const subscription = await row.subscribe();
  const answers = await Promise.all([
    world.command(subscription.id, 'cancel'),
    world.command(subscription.id, 'cancel'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await world.settle();
  expect(row.updates(subscription)).toBe(1);
  expect(await row.kinds(subscription)).toEqual(['cancel_scheduled']);
});

test('a failure of the provider is a refusal, nothing has changed, and the next attempt goes through', async () => {
  const subscription = await row.subscribe();
  const before = await row.terms(subscription);
  const key = randomUUID();
  // The provider permanently repeats its failure for this key.
  row.meet(subscription, 'none', 'answer_500');
  const refused = await world.command(subscription.id, 'cancel', {}, key);
  expect([refused.status, refused.body['code'], refused.body['providerCode']]).toEqual([
    409,
    'provider_refused',
    'provider_failed',
  ]);
  expect(refused.body['detail']).toBe('The payment provider failed, and the change was not made. Try again.');
  expect(await row.terms(subscription)).toEqual(before);
  expect(await row.kinds(subscription)).toEqual([]);
  const again = await world.command(subscription.id, 'cancel', {}, key);
  expect([again.status, again.body['effective']]).toEqual([200, 'period_end']);
  expect(row.updates(subscription)).toBe(1);
});

test('a failure of the provider to release a schedule is a refusal, too, and the next attempt goes through', async () => {
  const subscription = await row.subscribe();
  await row.scheduleAtProvider(subscription, 'release');
  await world.settle();
  const key = randomUUID();
  world.fault('provider_a', '/v1/subscription_schedules', 'answer_500');
  const refused = await world.command(subscription.id, 'cancel', {}, key);
  expect([refused.status, refused.body['providerCode']]).toEqual([409, 'provider_failed']);
  const again = await world.command(subscription.id, 'cancel', {}, key);
  expect([again.status, again.body['effective']]).toEqual([200, 'period_end']);
});

test('a refusal after the schedule was released does not claim that nothing was changed', async () => {
  const subscription = await row.subscribe();
  await row.scheduleAtProvider(subscription, 'release');
  await world.settle();
  const key = randomUUID();
  row.meet(subscription, 'none', 'answer_500');
  const refused = await world.command(subscription.id, 'cancel', {}, key);
  expect([refused.status, refused.body['title'], refused.body['detail']]).toEqual([
    409,
    'The payment provider refused the request.',
    'The payment provider failed, and the change was not made. Try again.',
  ]);
  const again = await world.command(subscription.id, 'cancel', {}, key);
  expect([again.status, again.body['effective']]).toEqual([200, 'period_end']);
});

test('a cancellation whose answer was lost is found by the next read', async () => {
  const subscription = await row.subscribe();
  row.meet(subscription, 'none', 'cut_after_commit');
  expect((await world.command(subscription.id, 'cancel')).status).toBe(200);
  await world.settle();
  expect(row.updates(subscription)).toBe(1);
  expect(await row.kinds(subscription)).toEqual(['cancel_scheduled']);
});

test('a provider that stays silent leaves it pending, and the answer comes by itself', async () => {
  const subscription = await row.subscribe();
  const key = randomUUID();
  row.meetSilence(subscription);
  const accepted = await world.command(subscription.id, 'cancel', {}, key);
  expect([accepted.status, accepted.body['status']]).toEqual([202, 'accepted']);
  expect(await row.summary(subscription)).toBe('active, pro × 1');
  const unsettled = 'provider_unsettled';
  expect(await row.capabilities(subscription)).toMatchObject({ cancel: unsettled, planChange: unsettled });
  expect(await row.upcoming(subscription)).toContain('The last request to the payment provider is retried');
  expect((await world.show(subscription.id))['waitingFor']).toMatch(/has not confirmed a request/);

  await row.settleLater();
  expect(await row.operation(accepted)).toMatchObject({ status: 'succeeded', answer: { status: 200 } });
  const replayed = await world.command(subscription.id, 'cancel', {}, key);
  expect([replayed.status, replayed.body['effective']]).toEqual([200, 'period_end']);
  expect(row.updates(subscription)).toBe(1);
  expect(await world.atProvider(subscription)).toMatchObject({ cancelAtPeriodEnd: true });
  expect(await row.kinds(subscription)).toEqual(['cancel_scheduled']);
});

test('once the provider may have been asked, a broken way to Temporal is 202 and never 503', async () => {
  const subscription = await row.subscribe();
  row.meetSilence(subscription);
  breaks = true;
  const accepted = await world.command(subscription.id, 'cancel');
  breaks = false;
  expect([accepted.status, accepted.body['status']]).toEqual([202, 'accepted']);
  await row.settleLater();
  expect(await row.operation(accepted)).toMatchObject({ status: 'succeeded' });
  expect(row.updates(subscription)).toBe(1);
});

test.each(['before_call', 'after_call'] as const)(
  'a process that dies %s leaves what the next one finishes, with one effect',
  async (where) => {
    const subscription = await row.subscribe();
    // Its event would report what the process could not.
    row.lose(true);
    row.dieWithNextCommand(where);
    const accepted = await world.command(subscription.id, 'cancel');
    expect(accepted.status).toBe(202);
    expect((await world.show(subscription.id)).capabilities['cancel']?.reasonCode).toBe('provider_unsettled');
    row.lose(false);
    await row.settleLater();
    expect(await row.operation(accepted)).toMatchObject({ status: 'succeeded' });
    expect(await row.summary(subscription)).toBe('active, pro × 1, ends');
    expect(row.updates(subscription)).toBe(1);
    expect(await row.kinds(subscription)).toContain('cancel_scheduled');
  },
);

test('a cancellation at the provider itself is learnt from its webhook', async () => {
  const subscription = await row.subscribe();
  const { adapter, access } = await world.open('provider_a');
  await adapter.cancelSubscription(access, {
    reference: subscription.reference,
    key: randomUUID(),
    repeated: false,
    reason: 'At the provider.',
  });
  await world.settle();
  expect(await row.summary(subscription)).toBe('active, pro × 1, ends');
  expect(await row.timeline(subscription)).toEqual([
    { kind: 'cancel_scheduled', message: `${subscription.externalId}'s pro no longer renews.` },
  ]);
});

test('is carried out although its plan has lost its reference while the renewal was prepared', async () => {
  const { subscription, end } = await row.inWindow();
  await world.settle();
  expect(await row.marker(subscription)).toMatchObject({ state: 'prepared' });
  const connection = `/api/provider-connections/${world.connections.provider_a}`;
  const references = { starter: 'price_starter', pro: 'price_pro', large: 'price_large' };
  const refer = (planReferences: Record<string, string>) =>
    world.operator.patch(connection, { body: { settings: { planReferences } } });
  const { starter, large } = references;
  expect((await refer({ starter, large })).status).toBe(200);
  try {
    expect((await world.command(subscription.id, 'cancel')).status).toBe(200);
    expect(await world.atProvider(subscription)).toMatchObject({ cancelAtPeriodEnd: true });
    await world.advanceTo(end + 60_000);
    expect((await world.show(subscription.id)).status).toBe('cancelled');
    expect(row.collected(subscription)).toEqual(['subscription_create 6000']);
  } finally {
    await refer(references);
  }
});

describe('an end beyond this period, set at the provider', () => {
  const seconds = (instant: number): string => String(Math.floor(instant / 1000));

  test('is no cancellation: it renews, is prepared for its change, and a cancel ends it with this period', async () => {
    const subscription = await row.subscribe();
    await world.change(subscription.id, { plan: 'starter' });
    const shown = await world.show(subscription.id);
    const end = periodEnd(shown);
    const beyond = end + 45 * DAY_MS;
    await row.updateAtProvider(subscription, { cancel_at: seconds(beyond) });
    expect(await world.show(subscription.id)).toMatchObject({
      cancelAtPeriodEnd: false,
      cancelAt: new Date(Math.floor(beyond / 1000) * 1000).toISOString(),
    });
    expect(await row.capabilities(subscription)).toEqual({
      cancel: 'available',
      reactivate: 'available',
      planChange: 'available',
      seatChange: 'available',
    });
    await world.advanceTo(end - HOUR_MS);
    await world.advanceTo(end + 60_000);
    expect(await row.summary(subscription)).toBe('active, starter × 1');
    expect((await row.upcoming(subscription)).at(-1)).toBe('Ends');
    const next = await world.show(subscription.id);
    const cancelled = await world.command(subscription.id, 'cancel');
    expect([cancelled.status, cancelled.body['effectiveAt']]).toEqual([200, next.currentPeriodEnd]);
    expect(await world.atProvider(subscription)).toMatchObject({
      cancelAtPeriodEnd: true,
      cancelAt: periodEnd(next),
    });
    await world.advanceTo(periodEnd(next) + 60_000);
    expect(await row.summary(subscription)).toMatch(/^cancelled/);
    expect(row.collected(subscription)).toEqual(['subscription_create 3000', 'subscription_cycle 1000']);
  });

  test('is taken back by a reactivation, at the provider too', async () => {
    const subscription = await row.subscribe();
    const end = periodEnd(await world.show(subscription.id));
    await row.updateAtProvider(subscription, { cancel_at: seconds(end + DAY_MS) });
    expect((await world.command(subscription.id, 'reactivate')).status).toBe(200);
    expect(await world.atProvider(subscription)).toMatchObject({ cancelAtPeriodEnd: false, cancelAt: null });
    expect(await world.show(subscription.id)).toMatchObject({ cancelAtPeriodEnd: false, cancelAt: null });
  });

  test('within the period it ends then, and access with it', async () => {
    const subscription = await row.subscribe();
    const { currentPeriodStart } = await world.show(subscription.id);
    const middle = Date.parse(currentPeriodStart) + 10 * DAY_MS;
    await row.updateAtProvider(subscription, { cancel_at: seconds(middle) });
    const cancelled = await world.command(subscription.id, 'cancel');
    const ends = new Date(Math.floor(middle / 1000) * 1000).toISOString();
    expect([cancelled.status, cancelled.body['effectiveAt']]).toEqual([200, ends]);
    row.lose(true);
    await world.advanceTo(middle + 60_000);
    expect(await world.show(subscription.id)).toMatchObject({ status: 'cancelled' });
    expect(await row.access(subscription)).toBe('no_active_subscription');
  });

  test('withdraws a scheduled change when it ends the subscription', async () => {
    const subscription = await row.subscribe();
    const { currentPeriodStart } = await world.show(subscription.id);
    expect((await world.change(subscription.id, { plan: 'starter' })).status).toBe(200);
    const middle = Date.parse(currentPeriodStart) + 10 * DAY_MS;
    await row.updateAtProvider(subscription, { cancel_at: seconds(middle) });
    await world.advanceTo(middle + 60_000);
    expect((await row.timeline(subscription)).slice(-2)).toEqual([
      {
        kind: 'scheduled_change_withdrawn',
        message: `${subscription.externalId}'s scheduled change to starter was withdrawn.`,
      },
      {
        kind: 'cancelled',
        message: `${subscription.externalId}'s pro was cancelled at the payment provider.`,
      },
    ]);
  });

  test('that was not reported is shown as drift', async () => {
    const subscription = await row.subscribe();
    const end = periodEnd(await world.show(subscription.id));
    row.lose(true);
    await row.updateAtProvider(subscription, { cancel_at: seconds(end + DAY_MS) });
    const { body } = await world.operator.get(`/api/billing/subscriptions/${subscription.id}/drift`);
    expect(body).toMatchObject({ inSync: false, differences: [{ field: 'cancelAt', local: 'never' }] });
  });
});
