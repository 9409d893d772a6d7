import { ProviderCRig } from '../support/provider-c-rig';
import { periodEnd, ProviderRow } from '../support/provider-row';
import { ProviderWorld } from '../support/provider-world';

/** Section 6.2, provider C, `subscription.not_renew`: active, and not renewing. */
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

const NOT_RENEW = 'subscription.not_renew';

test('stopped on the provider’s own page, it does not renew here; the end of its period stays known', async () => {
  const sub = await world.subscribe('provider_c');
  const { currentPeriodEnd } = await world.show(sub.id);
  await rig.pressOnPage(sub);
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({
    status: 'active',
    cancelAtPeriodEnd: true,
    currentPeriodEnd,
  });
  expect(await row.access(sub)).toBe(1_000);
  expect(await row.told(sub)).toEqual([
    { kind: 'cancel_scheduled', message: `${sub.externalId}'s pro does not renew any more.` },
  ]);
  expect(await row.capabilities(sub)).toMatchObject({
    cancel: 'already_cancelling',
    reactivate: 'available',
  });
  expect(await world.command(sub.id, 'cancel')).toMatchObject({ status: 200 });
  expect(row.happened(sub, NOT_RENEW)).toBe(1);
});

test('repeated, it is told once', async () => {
  const sub = await world.subscribe('provider_c');
  const { switches } = world.simulators.core.outbox;
  switches.duplicate = true;
  await rig.pressOnPage(sub);
  await world.settle();
  switches.duplicate = false;
  expect(await row.kinds(sub)).toEqual(['cancel_scheduled']);
});

test('an old one changes nothing once it was taken back; the next one, equal to the byte, counts', async () => {
  const sub = await world.subscribe('provider_c');
  await rig.pressOnPage(sub);
  await world.settle();
  expect(await world.command(sub.id, 'reactivate')).toMatchObject({ status: 200 });
  const { outbox } = world.simulators.core;
  const sent = outbox.deliveries.find(
    ({ event, body }) => event === NOT_RENEW && body.includes(sub.reference),
  );
  expect(outbox.resend(sent?.id ?? '')).toBe(true);
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ cancelAtPeriodEnd: false });

  await rig.pressOnPage(sub);
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ cancelAtPeriodEnd: true });
  expect(await row.kinds(sub)).toEqual(['cancel_scheduled', 'reactivated', 'cancel_scheduled']);
});

test('taken back on the page, of which no webhook tells: the boundary’s reading finds it renewed', async () => {
  const sub = await world.subscribe('provider_c');
  const end = periodEnd(await world.show(sub.id));
  await rig.pressOnPage(sub);
  await world.settle();
  await rig.pressOnPage(sub);
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ cancelAtPeriodEnd: true });
  row.lose(true);
  await world.advanceTo(end + 60_000);
  const renewed = await world.show(sub.id);
  expect(renewed).toMatchObject({ status: 'active', cancelAtPeriodEnd: false });
  expect(periodEnd(renewed)).toBeGreaterThan(end);
  expect(await row.access(sub)).toBe(1_000);
});

test('signed with another key it is refused', async () => {
  const sub = await world.subscribe('provider_c');
  const data = { subscription_code: sub.reference, status: 'non-renewing', next_payment_date: null };
  expect((await rig.tell(NOT_RENEW, data, 'sk_test_other')).status).toBeGreaterThanOrEqual(400);
  expect(await world.show(sub.id)).toMatchObject({ cancelAtPeriodEnd: false });
});
