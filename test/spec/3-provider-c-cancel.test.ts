import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '../../src/domain/instant';
import { ProviderCRig } from '../support/provider-c-rig';
import { periodEnd, ProviderRow } from '../support/provider-row';
import type { WorldSubscription } from '../support/provider-world';
import { useProviderWorld } from '../support/use-provider-world';

/** Section 3, provider C, cancel: active but not renewing, until `subscription.disable` at the billing boundary. */
const world = useProviderWorld();
const row = new ProviderRow(world);
let rig: ProviderCRig;
beforeAll(() => {
  rig = new ProviderCRig(world);
});
afterEach(() => {
  rig.token = undefined;
  return row.endAll();
});
const NOT_RENEW = 'subscription.not_renew';

test('it stays active, with access, and does not renew; the end of its period stays known', async () => {
  const sub = await world.subscribe('provider_c');
  const { currentPeriodEnd } = await world.show(sub.id);
  const key = randomUUID();
  const answer = await world.command(sub.id, 'cancel', {}, key);
  expect([answer.status, answer.body]).toMatchObject([
    200,
    {
      effective: 'period_end',
      effectiveAt: currentPeriodEnd,
      subscription: { status: 'active', cancelAtPeriodEnd: true, currentPeriodEnd },
    },
  ]);
  await world.settle();
  // The provider no longer has a next payment date, neither in its answers nor in its webhook.
  expect(await world.atProvider(sub)).toMatchObject({ cancelAtPeriodEnd: true, currentPeriodEnd: null });
  expect(await world.show(sub.id)).toMatchObject({
    status: 'active',
    cancelAtPeriodEnd: true,
    currentPeriodEnd,
    waitingFor: `The subscription ends at ${currentPeriodEnd}, with its billing period.`,
  });
  expect(await row.access(sub)).toBe(1_000);
  expect(await row.upcoming(sub)).toEqual(['Ends']);
  expect(await row.capabilities(sub)).toEqual({
    cancel: 'already_cancelling',
    reactivate: 'available',
    planChange: 'change_not_offered',
    seatChange: 'change_not_offered',
  });
  expect(await row.timeline(sub)).toEqual([
    {
      kind: 'cancel_scheduled',
      message: `${sub.externalId}'s subscription to pro was cancelled and ends at ${currentPeriodEnd}.`,
    },
  ]);
  expect(await row.events(sub, 'cancel_scheduled')).toEqual(['OK']);

  const replay = await world.command(sub.id, 'cancel', {}, key);
  expect([replay.status, replay.body]).toEqual([200, answer.body]);
  expect(await world.command(sub.id, 'cancel')).toMatchObject({
    status: 200,
    body: { effective: 'period_end', effectiveAt: currentPeriodEnd },
  });
  expect(row.happened(sub, NOT_RENEW)).toBe(1);
  expect(await row.kinds(sub)).toEqual(['cancel_scheduled']);
});

test.each([
  ['when the provider says so', false],
  ['when its webhook is lost: it is read back', true],
])('at the boundary it ends %s', async (_, lost) => {
  const sub = await world.subscribe('provider_c');
  const end = periodEnd(await world.show(sub.id));
  await world.command(sub.id, 'cancel');
  await world.advanceTo(end - MINUTE_MS);
  expect(await row.access(sub)).toBe(1_000);
  row.lose(lost);
  await world.advanceTo(end + MINUTE_MS);
  expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled', waitingFor: null });
  expect(await row.access(sub)).toBe('no_active_subscription');
  expect(await row.timeline(sub)).toMatchObject([
    { kind: 'cancel_scheduled' },
    { kind: 'cancelled', message: `${sub.externalId}'s pro was cancelled at the payment provider.` },
  ]);
  expect(await row.capabilities(sub)).toMatchObject({
    cancel: 'subscription_ended',
    reactivate: 'subscription_ended',
  });
});

test('after the boundary it stays active as long as the provider has not disabled it', async () => {
  const sub = await world.subscribe('provider_c');
  const end = periodEnd(await world.show(sub.id));
  await world.command(sub.id, 'cancel');
  await advanceOurs(end + 2 * MINUTE_MS);
  expect(await world.atProvider(sub)).toMatchObject({ status: 'active' });
  expect(await world.show(sub.id)).toMatchObject({ status: 'active', currentPeriodEnd: isoOf(end) });
  expect(await row.access(sub)).toBe(1_000);
  expect(await row.capabilities(sub)).toMatchObject({ cancel: 'period_ended', reactivate: 'period_ended' });
  await world.simulators.core.clock.advanceTo(end + 2 * MINUTE_MS);
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled' });
  expect(await row.access(sub)).toBe('no_active_subscription');
});

/** Advances the sandbox's clock only, as if the provider were late. */
async function advanceOurs(to: number): Promise<void> {
  await world.operator.post('/api/sandbox/clock', {
    body: { to: isoOf(to) },
    env: null,
    query: { organizationId: world.operator.workspaceId, env: 'sandbox' },
  });
  await world.settle();
}

function isoOf(instant: number): string {
  return new Date(instant).toISOString();
}

test('of a subscription that the provider does not know it is refused as a capability, and nothing changes', async () => {
  const sub = await world.subscribe('provider_c');
  const rename = (from: string, to: string) =>
    world.service.database.query(
      'UPDATE tollgate.provider_references SET reference = $2 WHERE reference = $1',
      [from, to],
    );
  await rename(sub.reference, 'SUB_gone');
  expect(await world.command(sub.id, 'cancel')).toMatchObject({
    status: 409,
    body: { code: 'capability_unavailable', capability: { reasonCode: 'subscription_not_found' } },
  });
  expect(await world.show(sub.id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: false });
  await rename('SUB_gone', sub.reference);
});

test.each([
  ['missing', '', 'email_token_missing'],
  ['not the provider’s own', 'wrong', 'email_token_refused'],
])('without its e-mail token (%s) it is refused, and nothing changes', async (_, token, reasonCode) => {
  const sub = await world.subscribe('provider_c');
  const before = await row.terms(sub);
  rig.token = token;
  const key = randomUUID();
  const refused = await world.command(sub.id, 'cancel', {}, key);
  expect([refused.status, refused.body]).toMatchObject([
    409,
    {
      code: 'capability_unavailable',
      detail: 'The payment provider did not stop the renewal. Nothing has changed.',
      capability: { name: 'cancel', supported: true, available: false, reasonCode },
    },
  ]);
  expect(JSON.stringify(refused.body)).not.toContain(sub.reference);
  expect(await row.terms(sub)).toEqual(before);
  expect(await world.atProvider(sub)).toMatchObject({ status: 'active', cancelAtPeriodEnd: false });
  expect(await row.kinds(sub)).toEqual([]);

  rig.token = undefined;
  expect(await world.command(sub.id, 'cancel', {}, key)).toMatchObject({
    status: 200,
    body: { effective: 'period_end' },
  });
  expect(await row.kinds(sub)).toEqual(['cancel_scheduled']);
});

test('without its code at the provider it cannot be cancelled yet, and says why', async () => {
  const sub = await world.subscribe('provider_c');
  await withoutReference(sub);
  const { status, body } = await world.command(sub.id, 'cancel');
  expect([status, body]).toMatchObject([
    409,
    { code: 'capability_unavailable', capability: { reasonCode: 'provider_reference_missing' } },
  ]);
  expect(await world.show(sub.id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: false });
  expect(row.happened(sub, NOT_RENEW)).toBe(0);
});

async function withoutReference({ reference }: WorldSubscription): Promise<void> {
  await world.service.database.query('DELETE FROM tollgate.provider_references WHERE reference = $1', [
    reference,
  ]);
}
