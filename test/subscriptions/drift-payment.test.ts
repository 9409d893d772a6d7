import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/domain/instant';
import { ProviderARow } from '../support/provider-a-row';
import { periodEnd } from '../support/provider-row';
import type { WorldSubscription } from '../support/provider-world';
import { useProviderWorld } from '../support/use-provider-world';
import { DriftingWorld, LARGE } from './drifting';

const world = useProviderWorld();
const drifting = new DriftingWorld(world);
let subscription: WorldSubscription;

const query = <Row extends object>(sql: string): Promise<Row[]> =>
  world.service.database.query<Row>(sql, [subscription.id]);
const moveMoney = (by: string): Promise<unknown> =>
  query(`UPDATE tollgate.payments SET received_at = received_at ${by} WHERE subscription_id = $1`);

describe('a period that nobody has paid', () => {
  beforeEach(async () => {
    drifting.dropWebhooks(false);
    subscription = await world.subscribe('provider_a', { seats: 2 });
    await world.advanceBy(4 * DAY_MS);
    await drifting.driftOf(subscription.id);
    // As if the provider had never reported the payment.
    await moveMoney("- interval '40 days'");
    expect(await drifting.fieldsOf(subscription.id)).toEqual(['payment']);
  });
  afterEach(() => moveMoney("+ interval '40 days'"));

  it('is named also if the customer has bought something else in it', async () => {
    const { externalId } = subscription;
    const sale = { amount: { amount: '1234', currency: 'USD' }, description: 'A pack' };
    const { body } = await world.operator.post('/api/billing/checkouts', {
      body: { externalId, provider: 'provider_a', ...sale },
      headers: { 'Idempotency-Key': randomUUID() },
    });
    await world.pay('provider_a', String(body['url']));
    await world.settle();
    const paid = await world.operator.get('/api/billing/payments', {
      query: { checkoutId: String(body['id']) },
    });
    expect(paid.body['data']).toMatchObject([{ externalId, status: 'succeeded' }]);
    expect(await drifting.fieldsOf(subscription.id)).toEqual(['payment']);
  });

  it('is not repaired by the provider’s word alone', async () => {
    expect(await drifting.repair(subscription.id, { take: 'provider' })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer: '/take' }] },
    });
    expect(await drifting.fieldsOf(subscription.id)).toEqual(['payment']);
  });

  it('is still named, and still found, when the rest is repaired', async () => {
    const { id } = subscription;
    const finding = { differences: [{ field: 'payment', local: 'none', provider: 'x' }], foundAt: 1 };
    await query(`UPDATE tollgate.subscriptions SET drift = '${JSON.stringify(finding)}' WHERE id = $1`);
    await drifting.behindOurBack(subscription, LARGE.provider_a);
    const { status, body } = await drifting.repair(id, { take: 'provider' });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { inSync: false, differences: [{ field: 'payment' }], subscription: { seats: 3 } },
    });
    expect(await query('SELECT drift FROM tollgate.subscriptions WHERE id = $1')).toEqual([
      { drift: finding },
    ]);
  });
});

it('is nothing to find in a period whose invoice the merchant has voided', async () => {
  drifting.dropWebhooks(false);
  const row = new ProviderARow(world);
  subscription = await row.subscribe();
  await row.setCard(subscription, 'declines');
  await world.advanceTo(periodEnd(await world.show(subscription.id)) + 60_000);
  expect((await world.show(subscription.id)).status).toBe('past_due');
  await row.endOpenInvoices(subscription, 'void');
  await world.settle();
  expect((await row.timeline(subscription)).at(-1)).toEqual({
    kind: 'recovered',
    message: `${subscription.externalId}'s pro is active again: nothing is overdue at the payment provider.`,
  });
  await world.advanceBy(4 * DAY_MS);
  expect(await drifting.driftOf(subscription.id)).toMatchObject({ inSync: true, differences: [] });
  expect((await row.kinds(subscription)).at(-1)).toBe('recovered');
});
