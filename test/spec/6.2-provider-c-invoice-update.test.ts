import { ProviderCRig } from '../support/provider-c-rig';
import { periodEnd, ProviderRow } from '../support/provider-row';
import { ProviderWorld, type WorldSubscription } from '../support/provider-world';

/** Section 6.2, provider C, `invoice.update`: handled when successful. */
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

const UPDATE = 'invoice.update';
const MINUTE_MS = 60_000;

async function paymentsOf({ externalId }: WorldSubscription): Promise<string[]> {
  const rows = await world.service.database.query<{ amount: string }>(
    `SELECT p.amount FROM tollgate.payments p JOIN tollgate.customers c ON c.id = p.customer_id
      WHERE c.external_id = $1 AND p.status = 'succeeded'`,
    [externalId],
  );
  return rows.map(({ amount }) => amount);
}

test('a successful one renews the subscription, and its payment is recorded once, told twice and with its charge', async () => {
  const sub = await world.subscribe('provider_c');
  const { currentPeriodEnd } = await world.show(sub.id);
  const { switches } = world.simulators.core.outbox;
  switches.duplicate = true;
  await world.advanceTo(Date.parse(currentPeriodEnd) + MINUTE_MS);
  switches.duplicate = false;
  expect(row.happened(sub, UPDATE)).toBe(1);
  expect(await world.show(sub.id)).toMatchObject({ status: 'active', currentPeriodStart: currentPeriodEnd });
  expect(await paymentsOf(sub)).toEqual(['3000', '3000']);
  expect(await row.kinds(sub)).toEqual(['period_turned']);
});

test('it alone is enough: the provider’s clock is ahead, and nothing else is heard', async () => {
  const sub = await world.subscribe('provider_c');
  const end = periodEnd(await world.show(sub.id));
  row.lose(true);
  await world.simulators.core.clock.advanceTo(end + MINUTE_MS);
  await world.simulators.core.outbox.flush();
  row.lose(false);
  const { outbox } = world.simulators.core;
  const sent = outbox.deliveries.find(({ event, body }) => event === UPDATE && body.includes(sub.reference));
  outbox.resend(sent?.id ?? '');
  await outbox.flush();
  expect(periodEnd(await world.show(sub.id))).toBeGreaterThan(end);
  expect(await paymentsOf(sub)).toEqual(['3000', '3000']);
  await world.advanceTo(world.simulators.core.clock.now() + MINUTE_MS);
  expect(await row.kinds(sub)).toEqual(['period_turned']);
});

test.each([
  ['failed', 'applied', { paid: false, status: 'failed' }],
  ['pending', 'ignored', { paid: false, status: 'pending' }],
  ['paid by one word and not by the other', 'ignored', { paid: true, status: 'pending' }],
])('one that is %s is %s, and changes nothing that the provider does not say', async (_, end, outcome) => {
  const sub = await world.subscribe('provider_c');
  const before = await row.terms(sub);
  const transaction = { reference: 'nothing', status: 'failed', amount: 3000, currency: 'USD' };
  const subscription = { subscription_code: sub.reference };
  const data = { invoice_code: 'INV_other', ...outcome, transaction, subscription };
  const { status, eventId } = await rig.tell(UPDATE, data);
  expect([status, await rig.endOf(eventId)]).toEqual([200, end]);
  expect(await row.terms(sub)).toEqual(before);
  expect(await paymentsOf(sub)).toEqual(['3000']);
});

test('the one that settles a failed renewal makes it active again', async () => {
  const sub = await world.subscribe('provider_c');
  rig.setCards(sub, 'decline');
  await world.advanceTo(periodEnd(await world.show(sub.id)) + MINUTE_MS);
  expect(await world.show(sub.id)).toMatchObject({ status: 'past_due' });
  rig.setCards(sub, 'succeed');
  await world.advanceTo(periodEnd(await world.show(sub.id)) + MINUTE_MS);
  expect(await world.show(sub.id)).toMatchObject({ status: 'active' });
  expect(await row.kinds(sub)).toContain('recovered');
});

test('a renewal whose charge comes before its invoice is told of by the integrator’s own name of the customer', async () => {
  const sub = await world.subscribe('provider_c');
  await world.advanceTo(periodEnd(await world.show(sub.id)) + MINUTE_MS);
  const query = { eventType: 'PAYMENT_RECORDED', take: '2' };
  const { body } = await world.operator.get('/api/developer-events', { query });
  const told = (body['data'] as { data: Record<string, unknown> }[]).map(({ data }) => data['externalId']);
  expect(told).toEqual([sub.externalId, sub.externalId]);
});

test('a renewal whose charge comes before its invoice stands in the timeline, and is one event', async () => {
  const sub = await world.subscribe('provider_c');
  const told = async () => (await world.history(sub.id)).filter((kind) => kind === 'payment_recorded').length;
  const events = async () => {
    const query = { eventType: 'PAYMENT_RECORDED', take: '200', customerId: await customerOf(sub) };
    return ((await world.operator.get('/api/developer-events', { query })).body['data'] as unknown[]).length;
  };
  const before = [await told(), await events()];
  for (const renewals of [1, 2]) {
    await world.advanceTo(periodEnd(await world.show(sub.id)) + MINUTE_MS);
    expect([await told(), await events()]).toEqual(before.map((count) => count + renewals));
  }
});

async function customerOf({ id }: WorldSubscription): Promise<string> {
  return String((await world.show(id))['customerId']);
}
