import type { PlanName } from '../support/provider-world';
import { useProviderARow } from '../support/use-provider-world';

/** Section 2: a plan that the connection does not map is found by its metadata in every operation. */
const { world, row } = useProviderARow();
beforeAll(async () => {
  for (const name of ['starter', 'pro', 'large'] satisfies PlanName[]) {
    const body = { metadata: { providerAPriceId: `price_${name}` } };
    await world.operator.patch(`/api/plans/${world.plans[name].planId}`, { body });
  }
  const settings = { planReferences: null };
  await world.operator.patch(`/api/provider-connections/${world.connections.provider_a}`, {
    body: { settings },
  });
});

async function addItem(reference: string): Promise<void> {
  const secretKey = world.secrets.provider_a['secretKey'] ?? '';
  const account = world.simulators.providers.a.account({ secretKey });
  account.price({ id: 'price_addon', unitAmount: 500, currency: 'usd', interval: 'month' });
  const body = new URLSearchParams({
    'items[0][price]': 'price_addon',
    'items[0][quantity]': '1',
    proration_behavior: 'none',
  });
  const headers = { authorization: `Bearer ${secretKey}` };
  const address = `${world.simulators.urls.a}/v1/subscriptions/${reference}`;
  const { status } = await fetch(address, { method: 'POST', headers, body });
  if (status !== 200) throw new Error(`The provider answered ${status}.`);
}

test('it is changed next to an item that was added at the provider, which stays', async () => {
  const subscription = await row.subscribe({ seats: 2 });
  await addItem(subscription.reference);
  await world.settle();
  expect((await world.change(subscription.id, { plan: 'large' })).status).toBe(200);
  expect(await row.summary(subscription)).toBe('active, large × 2');
});

test('“Test connection” looks it up too', async () => {
  const path = `/api/provider-connections/${world.connections.provider_a}/test`;
  const references = async (): Promise<unknown> => {
    const { body } = await world.operator.post(path);
    return (body['checks'] as { check: string }[]).find(({ check }) => check === 'plan_references');
  };
  expect(await references()).toMatchObject({ ok: true });
  const body = { metadata: { providerAPriceId: 'price_of_nobody' } };
  await world.operator.patch(`/api/plans/${world.plans.large.planId}`, { body });
  expect(await references()).toMatchObject({
    ok: false,
    message: expect.stringContaining('price_of_nobody') as string,
  });
});
