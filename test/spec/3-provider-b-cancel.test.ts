import { randomUUID } from 'node:crypto';
import type { ConsoleAnswer } from '../support/operator';
import { complete } from '../connections/connection-calls';
import { DAY_MS } from '../../src/domain/instant';
import { plansAtB } from '../support/provider-shop';
import { periodEnd } from '../support/provider-row';
import { useProviderRow } from '../support/use-provider-world';

/** Section 3, provider B, cancel: immediate and final. */
const { world, row } = useProviderRow();
const CANCELLED = 'BILLING.SUBSCRIPTION.CANCELLED';
const path = (reference: string): string => `/v1/billing/subscriptions/${reference}`;

test('it ends at once, here and at the provider', async () => {
  const sub = await world.subscribe('provider_b', { seats: 2 });
  expect(await row.access(sub)).toBe(1_000);
  const key = randomUUID();
  const answer = await world.command(sub.id, 'cancel', {}, key);
  expect([answer.status, answer.body]).toMatchObject([
    200,
    {
      effective: 'immediate',
      requiresCustomerAction: false,
      subscription: { id: sub.id, status: 'cancelled', cancelAtPeriodEnd: false },
    },
  ]);
  expect(await row.access(sub)).toBe('no_active_subscription');
  expect(await world.atProvider(sub)).toMatchObject({ status: 'cancelled' });
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled', waitingFor: null });
  expect(await row.upcoming(sub)).toEqual([]);
  expect(await row.capabilities(sub)).toEqual({
    cancel: 'subscription_ended',
    reactivate: 'new_subscription_needed',
    planChange: 'subscription_ended',
    seatChange: 'subscription_ended',
  });
  const message = `${sub.externalId}'s subscription to pro was cancelled.`;
  expect(await row.timeline(sub)).toEqual([{ kind: 'cancelled', message }]);
  expect(await row.events(sub, 'cancelled')).toEqual(['OK']);

  const replay = await world.command(sub.id, 'cancel', {}, key);
  expect([replay.status, replay.body]).toEqual([200, answer.body]);
  const second = await world.command(sub.id, 'cancel');
  expect(second).toMatchObject({ status: 200, body: { effective: 'immediate' } });
  expect(await row.kinds(sub)).toEqual(['cancelled']);
  expect(row.happened(sub, CANCELLED)).toBe(1);
});

test('it cannot be restored: reactivate and change are refused, and a new one can begin', async () => {
  const sub = await world.subscribe('provider_b');
  await world.command(sub.id, 'cancel');
  const before = await row.terms(sub);
  expect(await world.command(sub.id, 'reactivate')).toMatchObject({
    status: 422,
    body: { code: 'capability_unsupported', capability: { reasonCode: 'new_subscription_needed' } },
  });
  expect(await world.change(sub.id, { plan: 'large' })).toMatchObject({
    status: 409,
    body: { code: 'capability_unavailable', capability: { reasonCode: 'subscription_ended' } },
  });
  expect(await row.terms(sub)).toEqual(before);
  const checkout = { externalId: sub.externalId, planSlug: 'pro', provider: 'provider_b' };
  const headers = { 'Idempotency-Key': randomUUID() };
  const second = await world.operator.post('/api/billing/checkouts', { body: checkout, headers });
  expect(second.status).toBe(201);
});

test('an active one cannot be reactivated either, and the provider is not asked', async () => {
  const sub = await world.subscribe('provider_b');
  const before = await row.terms(sub);
  const { status, body } = await world.command(sub.id, 'reactivate');
  expect([status, body['code'], body['detail']]).toEqual([
    422,
    'capability_unsupported',
    'A cancellation is final. Start a new subscription instead.',
  ]);
  expect(await row.terms(sub)).toEqual(before);
  expect(await row.kinds(sub)).toEqual([]);
});

test('what the provider refuses changes nothing, and the next attempt is a new one', async () => {
  const sub = await world.subscribe('provider_b');
  const before = await row.terms(sub);
  const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
  const account = world.simulators.providers.b.account({ clientId, clientSecret: 'another-secret' });
  account.revokeTokens();
  const key = randomUUID();
  const refused = await world.command(sub.id, 'cancel', {}, key);
  expect([refused.status, refused.body['code']]).toEqual([409, 'provider_refused']);
  expect(JSON.stringify(refused.body)).not.toContain(clientSecret);
  expect(await row.terms(sub)).toEqual(before);
  expect(await row.capabilities(sub)).toMatchObject({ cancel: 'available' });
  expect(row.happened(sub, CANCELLED)).toBe(0);

  world.simulators.providers.b.account({ clientId, clientSecret });
  const again = await world.command(sub.id, 'cancel', {}, key);
  expect([again.status, again.body['effective']]).toEqual([200, 'immediate']);
  expect(await row.kinds(sub)).toEqual(['cancelled']);
});

test('a waiting change goes with it, and the answer says so', async () => {
  const sub = await world.subscribe('provider_b');
  const requested = await world.change(sub.id, { plan: 'large' });
  row.lose(true);
  const cancelled = await world.command(sub.id, 'cancel');
  expect(cancelled.body).toMatchObject({
    withdrawn: { plan: { slug: 'large' }, seats: 1 },
    subscription: { status: 'cancelled', pendingApproval: null, scheduledChange: null },
  });
  expect(await row.kinds(sub)).toEqual(['change_requested', 'scheduled_change_withdrawn', 'cancelled']);
  await expect(world.pay('provider_b', String(requested.body['approvalUrl']))).rejects.toThrow(
    'answered 404',
  );
});

test.each(['the command', 'the webhook'])(
  'one whose last billing cycle is over there ends as cancelled, shown by %s',
  async (by) => {
    const sub = await world.subscribe('provider_b');
    const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
    const sell = (totalCycles: number): void => {
      const plans = plansAtB().map((plan) => ({ ...plan, totalCycles }));
      world.simulators.providers.b.account({ clientId, clientSecret, plans });
    };
    const end = periodEnd(await world.show(sub.id));
    sell(1);
    let answer: ConsoleAnswer;
    try {
      row.lose(by === 'the command');
      if (by === 'the webhook') row.dieWithNextCommand('before_call');
      else await world.simulators.core.clock.advanceTo(end);
      answer = await world.command(sub.id, 'cancel');
      if (by === 'the webhook') {
        await world.simulators.core.clock.advanceTo(end);
        await world.settle();
        await row.settleLater();
      }
    } finally {
      sell(0);
    }
    const cancelled = answer.status === 202 ? (await row.operation(answer))['answer'] : answer;
    expect(cancelled).toMatchObject({
      status: 200,
      body: { effective: 'immediate', subscription: { status: 'cancelled' } },
    });
    const message = `${sub.externalId}'s subscription to pro was cancelled.`;
    expect(await row.timeline(sub)).toEqual([{ kind: 'cancelled', message }]);
  },
);

describe('one effect at the provider, and one entry in the history', () => {
  test('when its answer is lost: it is asked again at once', async () => {
    const sub = await world.subscribe('provider_b');
    world.fault('provider_b', `${path(sub.reference)}/cancel`, 'cut_after_commit');
    expect(await world.command(sub.id, 'cancel')).toMatchObject({ status: 200 });
    await world.settle();
    expect(row.happened(sub, CANCELLED)).toBe(1);
    expect(await row.kinds(sub)).toEqual(['cancelled']);
  });

  test('when the provider does not show it for some minutes', async () => {
    const sub = await world.subscribe('provider_b');
    await world.atProvider(sub);
    row.lose(true);
    for (const fault of ['none', 'answer_stale', 'none', 'answer_stale'] as const)
      world.fault('provider_b', path(sub.reference), fault);
    row.break('provider_b', path(sub.reference), 'answer_stale');
    const answer = await world.command(sub.id, 'cancel');
    expect(answer.status).toBe(202);
    row.hearAgain();
    row.lose(true);
    await row.settleLater();
    expect(await row.operation(answer)).toMatchObject({ status: 'succeeded' });
    expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled' });
    expect(row.happened(sub, CANCELLED)).toBe(1);
    expect(await row.kinds(sub)).toEqual(['cancelled']);
  });

  test.each([
    ['it has done it', 'cut_after_commit'],
    ['it has not', 'answer_500'],
  ] as const)('when nobody can say for minutes whether %s: 202, and answered later', async (_, fault) => {
    const sub = await world.subscribe('provider_b');
    row.lose(true);
    row.break('provider_b', path(sub.reference), fault);
    const key = randomUUID();
    const answer = await world.command(sub.id, 'cancel', {}, key);
    expect([answer.status, answer.body['status']]).toEqual([202, 'accepted']);
    expect(await world.show(sub.id)).toMatchObject({
      status: 'active',
      waitingFor: expect.stringContaining('has not confirmed a request') as string,
    });
    expect(await row.access(sub)).toBe(1_000);
    expect(await row.capabilities(sub)).toMatchObject({
      cancel: 'provider_unsettled',
      planChange: 'provider_unsettled',
    });
    expect(await world.change(sub.id, { plan: 'large' })).toMatchObject({
      status: 409,
      body: { capability: { reasonCode: 'provider_unsettled' } },
    });

    row.hearAgain();
    await row.settleLater();
    expect(await row.operation(answer)).toMatchObject({ status: 'succeeded', answer: { status: 200 } });
    expect(await row.access(sub)).toBe('no_active_subscription');
    expect(await world.command(sub.id, 'cancel', {}, key)).toMatchObject({ status: 200 });
    expect(row.happened(sub, CANCELLED)).toBe(1);
    expect(await row.kinds(sub)).toEqual(['cancelled']);
  });

  test.each([
    ['before_call', false],
    ['after_call', false],
    ['after_call', true],
  ] as const)('when the process dies %s, webhooks lost: %s', async (where, lost) => {
    const sub = await world.subscribe('provider_b');
    row.lose(lost);
    row.dieWithNextCommand(where);
    const answer = await world.command(sub.id, 'cancel');
    expect(answer.status).toBe(202);
    expect(row.happened(sub, CANCELLED)).toBe(where === 'before_call' ? 0 : 1);
    await world.settle();
    const isCancelled = where === 'after_call' && !lost;
    expect(await world.show(sub.id)).toMatchObject({ status: isCancelled ? 'cancelled' : 'active' });

    await row.settleLater();
    expect(await row.operation(answer)).toMatchObject({ status: 'succeeded' });
    expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled', waitingFor: null });
    expect(row.happened(sub, CANCELLED)).toBe(1);
    expect(await row.kinds(sub)).toEqual(['cancelled']);
  });

  test('when the provider does not know it any more after it has reported the end', async () => {
    const { operator, connections, secrets, simulators } = world;
    const sub = await world.subscribe('provider_b');
    row.dieWithNextCommand('after_call');
    const key = randomUUID();
    const answer = await world.command(sub.id, 'cancel', {}, key);
    expect(answer.status).toBe(202);
    await world.settle();
    expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled' });
    const other = complete.provider_b();
    const { clientId, clientSecret } = other;
    simulators.providers.b.account({ clientId, clientSecret, webhooks: [], plans: [] });
    const use = (used: Record<string, string>) =>
      operator.patch(`/api/provider-connections/${connections.provider_b}`, { body: { secrets: used } });
    expect((await use(other)).status).toBe(200);
    try {
      // By then the absence counts, because the connection seems to lead to another account for good.
      await world.advanceBy(8 * DAY_MS);
    } finally {
      await use(secrets.provider_b);
    }
    expect(await row.operation(answer)).toMatchObject({ status: 'succeeded', answer: { status: 200 } });
    expect(await world.command(sub.id, 'cancel', {}, key)).toMatchObject({
      status: 200,
      body: { effective: 'immediate', subscription: { status: 'cancelled' } },
    });
    expect(await row.kinds(sub)).toEqual(['cancelled']);
  });

  test('when two come at once', async () => {
    const sub = await world.subscribe('provider_b');
    const answers = await Promise.all([world.command(sub.id, 'cancel'), world.command(sub.id, 'cancel')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await world.settle();
    expect(row.happened(sub, CANCELLED)).toBe(1);
    expect(await row.kinds(sub)).toEqual(['cancelled']);
  });
});
