import { ProviderCRig } from '../support/provider-c-rig';
import { periodEnd, ProviderRow } from '../support/provider-row';
import { ProviderWorld, type WorldSubscription } from '../support/provider-world';

/** Section 6.2, provider C, `subscription.disable`: ends the active-but-not-renewing period at the boundary. */
let world: ProviderWorld;
let row: ProviderRow;
let rig: ProviderCRig;
beforeAll(async () => {
  world = await ProviderWorld.start();
  row = new ProviderRow(world);
  rig = new ProviderCRig(world);
});
afterEach(() => row.endAll());
afterAll(() => world.stop());
jest.setTimeout(180_000);

const DISABLE = 'subscription.disable';
const MINUTE_MS = 60_000;

async function cancelled(): Promise<{ sub: WorldSubscription; end: number }> {
  const sub = await world.subscribe('provider_c');
  await world.command(sub.id, 'cancel');
  return { sub, end: periodEnd(await world.show(sub.id)) };
}

test('it ends the subscription, once however often it comes; access goes with it', async () => {
  const { sub, end } = await cancelled();
  expect(row.happened(sub, DISABLE)).toBe(0);
  const { switches } = world.simulators.core.outbox;
  switches.duplicate = true;
  // The provider's clock alone, so that no reading of ours comes first.
  await world.simulators.core.clock.advanceTo(end + MINUTE_MS);
  await world.simulators.core.outbox.flush();
  switches.duplicate = false;
  expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled', waitingFor: null });
  expect(await row.access(sub)).toBe('no_active_subscription');
  expect((await row.told(sub)).at(-1)).toEqual({
    kind: 'cancelled',
    message: `${sub.externalId}'s pro was cancelled at the payment provider.`,
  });
  expect(await row.events(sub, 'cancelled')).toEqual(['OK']);
  await world.advanceTo(world.simulators.core.clock.now() + MINUTE_MS);
  expect(await row.kinds(sub)).toEqual(['cancel_scheduled', 'cancelled']);
});

test('one that comes while the provider still bills the subscription is not taken for its end', async () => {
  const sub = await world.subscribe('provider_c');
  const before = await row.terms(sub);
  const { currentPeriodEnd } = await world.show(sub.id);
  const data = {
    subscription_code: sub.reference,
    status: 'complete',
    next_payment_date: currentPeriodEnd,
    email_token: 'token',
  };
  expect(await rig.tell(DISABLE, data)).toMatchObject({ status: 200 });
  expect(await row.terms(sub)).toEqual(before);
});

test('one that comes before the boundary of a cancelled subscription does not end it early', async () => {
  const { sub } = await cancelled();
  const before = await row.terms(sub);
  const data = { subscription_code: sub.reference, status: 'non-renewing', next_payment_date: null };
  expect(await rig.tell(DISABLE, data)).toMatchObject({ status: 200 });
  expect(await row.terms(sub)).toEqual(before);
});

test('while the provider cannot be read it is answered with an error; delivered again, it ends it', async () => {
  const { sub, end } = await cancelled();
  row.break('provider_c', '/subscription', 'answer_500');
  await world.simulators.core.clock.advanceTo(end + MINUTE_MS);
  await world.simulators.core.outbox.flush();
  const { deliveries } = world.simulators.core.outbox;
  const sent = deliveries.find(({ event, body }) => event === DISABLE && body.includes(sub.reference));
  expect(sent?.attempts.at(-1)?.status).toBeGreaterThanOrEqual(500);
  expect(await world.show(sub.id)).toMatchObject({ status: 'active' });
  row.hearAgain();
  await world.simulators.core.outbox.retryNow();
  expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled' });
  await world.advanceTo(world.simulators.core.clock.now() + MINUTE_MS);
  expect(await row.kinds(sub)).toEqual(['cancel_scheduled', 'cancelled']);
});
