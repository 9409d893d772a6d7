import { ProviderCRig } from '../support/provider-c-rig';
import { ProviderRow } from '../support/provider-row';
import { ProviderWorld } from '../support/provider-world';

/** Section 6.2, provider C, `subscription.create`: reconciles the subscription whose code is stored. */
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

const CREATED = 'subscription.create';

async function stored(): Promise<{ id: string; eventType: string; status: string }[]> {
  const { body } = await world.operator.get('/api/webhooks', { query: { provider: 'provider_c' } });
  return (body['data'] as { id: string; eventType: string; status: string }[]).filter(
    ({ eventType }) => eventType === CREATED,
  );
}

test('it comes before its code is known here, is kept, and is applied once it is', async () => {
  const sub = await world.subscribe('provider_c');
  expect(row.happened(sub, CREATED)).toBe(1);
  expect(await stored()).toMatchObject([{ status: 'applied' }]);
  expect(await world.show(sub.id)).toMatchObject({ status: 'active', providerReference: sub.reference });
});

test('told again, it changes nothing; what it says of long ago does not count', async () => {
  const sub = await world.subscribe('provider_c');
  const before = await row.terms(sub);
  const old = {
    subscription_code: sub.reference,
    status: 'active',
    amount: 1,
    next_payment_date: '2020-01-01T00:00:00.000Z',
    plan: { plan_code: 'PLN_large' },
  };
  expect(await rig.tell(CREATED, old)).toMatchObject({ status: 200 });
  expect(await row.terms(sub)).toEqual(before);
  expect(await row.kinds(sub)).toEqual([]);
});

test('of a subscription that is not known, it changes nothing and is kept', async () => {
  const sub = await world.subscribe('provider_c');
  const before = await row.terms(sub);
  const { status, eventId } = await rig.tell(CREATED, { subscription_code: 'SUB_unknown', status: 'active' });
  expect([status, await rig.endOf(eventId)]).toEqual([200, 'unmatched']);
  expect(await row.terms(sub)).toEqual(before);
});

test('it brings no e-mail token; the cancel that follows asks for it', async () => {
  const sub = await world.subscribe('provider_c');
  expect(await world.command(sub.id, 'cancel')).toMatchObject({ status: 200 });
  const rows = await world.service.database.query<{ body: string }>(
    `SELECT to_jsonb(s)::text AS body FROM tollgate.subscriptions s WHERE id = $1`,
    [sub.id],
  );
  expect(rows[0]?.body).not.toContain('email_token');
});

test('signed with another key it is refused', async () => {
  const sub = await world.subscribe('provider_c');
  const before = await row.terms(sub);
  const { status } = await rig.tell(CREATED, { subscription_code: sub.reference }, 'sk_test_other');
  expect(status).toBeGreaterThanOrEqual(400);
  expect(await row.terms(sub)).toEqual(before);
});
