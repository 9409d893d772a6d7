import { ProviderCRig } from '../support/provider-c-rig';
import { periodEnd, ProviderRow } from '../support/provider-row';
import { ProviderWorld, type WorldSubscription } from '../support/provider-world';

/** Section 6.2, provider C, `invoice.payment_failed`: past due, with its days of grace, until it is paid. */
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

const FAILED = 'invoice.payment_failed';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A subscription whose renewal could not be charged. */
async function unpaid(): Promise<WorldSubscription> {
  const sub = await world.subscribe('provider_c');
  rig.setCards(sub, 'decline');
  await world.advanceTo(periodEnd(await world.show(sub.id)) + MINUTE_MS);
  return sub;
}

async function paymentsOf({ externalId }: WorldSubscription): Promise<string[]> {
  const rows = await world.service.database.query<{ status: string }>(
    `SELECT p.status FROM tollgate.payments p JOIN tollgate.customers c ON c.id = p.customer_id
      WHERE c.external_id = $1`,
    [externalId],
  );
  return rows.map(({ status }) => status);
}

test('it makes the subscription past due: access for the days of grace, and then no more', async () => {
  const sub = await unpaid();
  expect(row.happened(sub, FAILED)).toBe(1);
  expect(await world.show(sub.id)).toMatchObject({ status: 'past_due' });
  expect(await row.access(sub)).toBe(1_000);
  expect(await paymentsOf(sub)).toEqual(['succeeded']);
  expect(await row.told(sub)).toContainEqual({
    kind: 'became_past_due',
    message: `The payment provider could not collect the payment for ${sub.externalId}'s pro.`,
  });
  expect(await row.capabilities(sub)).toMatchObject({
    cancel: 'available',
    planChange: 'change_not_offered',
  });
  await world.advanceBy(8 * DAY_MS);
  expect(await row.access(sub)).toBe('subscription_past_due');
});

test('the next charge that succeeds brings it back; an old failure told again does not', async () => {
  const sub = await unpaid();
  rig.setCards(sub, 'succeed');
  await world.advanceTo(periodEnd(await world.show(sub.id)) + MINUTE_MS);
  expect(await world.show(sub.id)).toMatchObject({ status: 'active', pastDueSince: null });
  expect(await row.access(sub)).toBe(1_000);
  const before = await row.terms(sub);
  const kinds = await row.kinds(sub);
  const { outbox } = world.simulators.core;
  const sent = outbox.deliveries.find(({ event, body }) => event === FAILED && body.includes(sub.reference));
  expect(outbox.resend(sent?.id ?? '')).toBe(true);
  await world.settle();
  expect(await row.terms(sub)).toEqual(before);
  expect(await row.kinds(sub)).toEqual(kinds);
});

test('one that says so of a subscription that is paid changes nothing: the provider is asked', async () => {
  const sub = await world.subscribe('provider_c');
  const before = await row.terms(sub);
  const subscription = { subscription_code: sub.reference, status: 'active' };
  const data = { invoice_code: 'INV_never', paid: false, status: 'pending', transaction: {}, subscription };
  expect(await rig.tell(FAILED, data)).toMatchObject({ status: 200 });
  expect(await row.terms(sub)).toEqual(before);
});

test('lost, it is found at the boundary', async () => {
  const sub = await world.subscribe('provider_c');
  rig.setCards(sub, 'decline');
  row.lose(true);
  await world.advanceTo(periodEnd(await world.show(sub.id)) + MINUTE_MS);
  expect(await world.show(sub.id)).toMatchObject({ status: 'past_due' });
});
