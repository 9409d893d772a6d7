import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '../../src/domain/instant';
import { ProviderCRig } from '../support/provider-c-rig';
import { periodEnd, ProviderRow } from '../support/provider-row';
import type { WorldSubscription } from '../support/provider-world';
import { useProviderWorld } from '../support/use-provider-world';

/** Section 3, provider C, reactivate: the matching enable call makes it renew again. */
const world = useProviderWorld();
const row = new ProviderRow(world);
let rig: ProviderCRig;
beforeAll(() => {
  rig = new ProviderCRig(world);
});
afterEach(() => {
  rig.token = undefined;
  rig.setResumes(true);
  return row.endAll();
});

async function cancelled(): Promise<WorldSubscription> {
  const sub = await world.subscribe('provider_c');
  await world.command(sub.id, 'cancel');
  await world.settle();
  return sub;
}

test('it renews again, at the provider too, and at the boundary it does', async () => {
  const sub = await cancelled();
  const { currentPeriodEnd } = await world.show(sub.id);
  const key = randomUUID();
  const answer = await world.command(sub.id, 'reactivate', {}, key);
  expect([answer.status, answer.body]).toMatchObject([
    200,
    {
      effective: 'immediate',
      subscription: { status: 'active', cancelAtPeriodEnd: false, currentPeriodEnd },
    },
  ]);
  expect(await world.atProvider(sub)).toMatchObject({
    status: 'active',
    cancelAtPeriodEnd: false,
    currentPeriodEnd: Date.parse(currentPeriodEnd),
  });
  expect(await row.capabilities(sub)).toMatchObject({ cancel: 'available', reactivate: 'not_cancelling' });
  expect((await row.timeline(sub)).at(-1)).toEqual({
    kind: 'reactivated',
    message: `${sub.externalId}'s subscription to pro renews again.`,
  });
  expect(await row.events(sub, 'reactivated')).toEqual(['OK']);
  const replay = await world.command(sub.id, 'reactivate', {}, key);
  expect([replay.status, replay.body]).toEqual([200, answer.body]);

  await world.advanceTo(Date.parse(currentPeriodEnd) + MINUTE_MS);
  const renewed = await world.show(sub.id);
  expect(renewed).toMatchObject({ status: 'active', currentPeriodStart: currentPeriodEnd });
  expect(periodEnd(renewed)).toBeGreaterThan(Date.parse(currentPeriodEnd));
  expect(await row.access(sub)).toBe(1_000);
  expect(await row.kinds(sub)).toEqual(['cancel_scheduled', 'reactivated', 'period_turned']);
});

test('cancelled and taken back several times, each counts', async () => {
  const sub = await cancelled();
  await world.command(sub.id, 'reactivate');
  await world.command(sub.id, 'cancel');
  await world.command(sub.id, 'reactivate');
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ cancelAtPeriodEnd: false });
  expect(await row.kinds(sub)).toEqual([
    'cancel_scheduled',
    'reactivated',
    'cancel_scheduled',
    'reactivated',
  ]);
});

test('one that renews has nothing to take back, and one that has ended stays so', async () => {
  const sub = await world.subscribe('provider_c');
  expect(await world.command(sub.id, 'reactivate')).toMatchObject({
    status: 409,
    body: { code: 'capability_unavailable', capability: { reasonCode: 'not_cancelling' } },
  });
  await world.command(sub.id, 'cancel');
  await world.advanceTo(periodEnd(await world.show(sub.id)) + MINUTE_MS);
  const before = await row.terms(sub);
  expect(await world.command(sub.id, 'reactivate')).toMatchObject({
    status: 409,
    body: { code: 'capability_unavailable', capability: { reasonCode: 'subscription_ended' } },
  });
  expect(await row.terms(sub)).toEqual(before);
});

test('ended at the provider before we have heard of it: the refusal says so, and nothing is renewed', async () => {
  const sub = await cancelled();
  row.lose(true);
  await world.simulators.core.clock.advanceTo(periodEnd(await world.show(sub.id)) + MINUTE_MS);
  const { status, body } = await world.command(sub.id, 'reactivate');
  expect([status, body]).toMatchObject([
    409,
    {
      code: 'capability_unavailable',
      detail: 'The subscription cannot be renewed any more. Start a new one after its end.',
      capability: { name: 'reactivate', available: false, reasonCode: 'subscription_ended' },
    },
  ]);
  expect(await world.show(sub.id)).toMatchObject({ cancelAtPeriodEnd: true });
  expect(await row.kinds(sub)).toEqual(['cancel_scheduled']);
  // Our clock follows, and the read at the boundary finds the end.
  await world.advanceTo(world.simulators.core.clock.now() + MINUTE_MS);
  expect(await row.kinds(sub)).toEqual(['cancel_scheduled', 'cancelled']);
});

test.each([
  ['missing', '', 'email_token_missing'],
  ['not the provider’s own', 'wrong', 'email_token_refused'],
])('without its e-mail token (%s) it is refused, and nothing changes', async (_, token, reasonCode) => {
  const sub = await cancelled();
  const before = await row.terms(sub);
  rig.token = token;
  const key = randomUUID();
  expect(await world.command(sub.id, 'reactivate', {}, key)).toMatchObject({
    status: 409,
    body: {
      code: 'capability_unavailable',
      detail: 'The payment provider did not resume the renewal. Nothing has changed.',
      capability: { name: 'reactivate', supported: true, available: false, reasonCode },
    },
  });
  expect(await row.terms(sub)).toEqual(before);
  rig.token = undefined;
  expect(await world.command(sub.id, 'reactivate', {}, key)).toMatchObject({ status: 200 });
  expect(await row.kinds(sub)).toEqual(['cancel_scheduled', 'reactivated']);
});

test('refused as final, it says so, is shown as unavailable from then on, and ends with its period', async () => {
  const sub = await cancelled();
  const before = await row.terms(sub);
  rig.setResumes(false);
  expect(await world.command(sub.id, 'reactivate')).toMatchObject({
    status: 409,
    body: {
      code: 'capability_unavailable',
      detail: 'The payment provider does not resume this subscription. Start a new one after its end.',
      capability: { name: 'reactivate', available: false, reasonCode: 'new_subscription_needed' },
    },
  });
  expect(await row.terms(sub)).toEqual(before);
  expect(await row.capabilities(sub)).toMatchObject({ reactivate: 'new_subscription_needed' });
  await world.advanceTo(periodEnd(await world.show(sub.id)) + MINUTE_MS);
  expect(await row.kinds(sub)).toEqual(['cancel_scheduled', 'cancelled']);
});

test('refused as final but resumed at the provider after all, it can be cancelled and asked about again', async () => {
  const sub = await cancelled();
  rig.setResumes(false);
  await world.command(sub.id, 'reactivate');
  rig.setResumes(true);
  await rig.pressOnPage(sub);
  await world.advanceTo(periodEnd(await world.show(sub.id)) + MINUTE_MS);
  expect(await world.show(sub.id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: false });
  await world.command(sub.id, 'cancel');
  expect(await row.capabilities(sub)).toMatchObject({ reactivate: 'available' });
});

test('a lost answer is read back, and reported once', async () => {
  const sub = await cancelled();
  world.fault('provider_c', '/subscription/enable', 'cut_after_commit');
  expect(await world.command(sub.id, 'reactivate')).toMatchObject({ status: 200 });
  expect(await row.kinds(sub)).toEqual(['cancel_scheduled', 'reactivated']);
});

test.each(['before_call', 'after_call'] as const)(
  'when the process dies %s, it goes on by itself: 202 first',
  async (where) => {
    const sub = await cancelled();
    row.dieWithNextCommand(where);
    const answer = await world.command(sub.id, 'reactivate');
    expect(answer.status).toBe(202);
    expect(await world.show(sub.id)).toMatchObject({ cancelAtPeriodEnd: true });
    expect(await row.capabilities(sub)).toMatchObject({ reactivate: 'provider_unsettled' });
    await row.settleLater();
    expect(await row.operation(answer)).toMatchObject({ status: 'succeeded' });
    expect(await world.show(sub.id)).toMatchObject({ cancelAtPeriodEnd: false });
    expect(await row.kinds(sub)).toEqual(['cancel_scheduled', 'reactivated']);
  },
);

test('two at once: one takes it back, and the other finds nothing to take back', async () => {
  const sub = await cancelled();
  const answers = await Promise.all([
    world.command(sub.id, 'reactivate'),
    world.command(sub.id, 'reactivate'),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await row.kinds(sub)).toEqual(['cancel_scheduled', 'reactivated']);
});
