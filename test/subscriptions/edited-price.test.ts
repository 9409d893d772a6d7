import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import type { WorldSubscription } from '../support/provider-world';
import { useProviderRow } from '../support/use-provider-world';

/** The price of provider B's plan is edited in place, which reaches every subscriber after a notice of ten days. */
const { world } = useProviderRow();

const usd = (amount: string) => ({ amount, currency: 'USD' });

/** Edits the price of plan P-PRO at provider B. */
async function editThere(value: string): Promise<void> {
  const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
  const url = world.simulators.urls.b;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const signedIn = await fetch(`${url}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const scheme = {
    billing_cycle_sequence: 1,
    pricing_scheme: { fixed_price: { value, currency_code: 'USD' } },
  };
  const edited = await fetch(`${url}/v1/billing/plans/P-PRO/update-pricing-schemes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ pricing_schemes: [scheme] }),
  });
  expect(edited.status).toBe(204);
}

async function editHere(amount: string): Promise<void> {
  const plan = `/api/plans/${world.plans.pro.planId}`;
  expect((await world.operator.patch(plan, { body: { price: usd(amount) } })).status).toBe(200);
}

const end = async ({ id }: WorldSubscription) => Date.parse((await world.show(id)).currentPeriodEnd);

const price = async ({ id }: WorldSubscription) => (await world.show(id))['price'];

async function renew(subscription: WorldSubscription): Promise<void> {
  await world.advanceTo((await end(subscription)) + HOUR_MS);
}

/** Returns the amount of the last payment. */
async function paid({ id }: WorldSubscription): Promise<unknown> {
  const query = { subscriptionId: id };
  const { body } = await world.operator.get('/api/billing/payments', { query });
  return (body['data'] as { amount: unknown }[])[0]?.amount;
}

async function drift({ id }: WorldSubscription): Promise<unknown> {
  return (await world.operator.get(`/api/billing/subscriptions/${id}/drift`)).body['differences'];
}

// https://developer.paypal.com/docs/subscriptions/customize/update-plan-pricing
test.each([
  { days: 15, charged: ['4000', '4000'] },
  { days: 5, charged: ['3000', '4000'] },
])(
  '$days days before a renewal, a new price is the subscription’s once it is charged',
  async ({ days, charged }) => {
    const subscription = await world.subscribe('provider_b');
    await world.advanceTo((await end(subscription)) - days * DAY_MS);
    await editThere('40.00');
    await editHere('4000');
    try {
      expect(await price(subscription)).toEqual(usd('3000'));
      for (const amount of charged) {
        await renew(subscription);
        expect([await paid(subscription), await price(subscription)]).toEqual([usd(amount), usd(amount)]);
        expect(await drift(subscription)).toEqual([]);
      }
    } finally {
      await editThere('30.00');
      await editHere('3000');
      await world.advanceBy(11 * DAY_MS);
    }
  },
);

test('a new price of which nobody has told Tollgate is a difference, and not taken over', async () => {
  const subscription = await world.subscribe('provider_b');
  await world.advanceTo((await end(subscription)) - 15 * DAY_MS);
  await editThere('43.00');
  expect(await drift(subscription)).toMatchObject([{ field: 'price' }]);
  await renew(subscription);
  expect([await paid(subscription), await price(subscription)]).toEqual([usd('4300'), usd('3000')]);
  expect(await drift(subscription)).toMatchObject([{ field: 'price' }]);
});
