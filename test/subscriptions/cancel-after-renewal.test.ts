import { HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import { PREPARE_WINDOW_MS } from '../../src/domain/synchronizer-marker';
import { periodEnd } from '../support/provider-row';
import { useProviderARow } from '../support/use-provider-world';

/** A cancel at provider A that is resolved only after the renewal. */
const { world, row } = useProviderARow();

beforeAll(async () => {
  const { planGroupId } = world.plans.pro;
  await world.seed.plan('basic', [], { plan_group_id: planGroupId, price_amount: 2000, pricing: 'flat' });
  row.account.price({ id: 'price_basic', unitAmount: 2000, currency: 'usd', interval: 'month' });
  const path = `/api/provider-connections/${world.connections.provider_a}`;
  const { settings } = (await world.operator.get(path)).body as { settings: { planReferences: object } };
  const planReferences = { ...settings.planReferences, basic: 'price_basic' };
  await world.operator.patch(path, { body: { settings: { planReferences } } });
});

test('fewer seats of a flat plan come with the renewal, which the restored terms do not tell apart', async () => {
  const subscription = await world.subscribe('provider_a', { plan: 'basic', seats: 3 });
  const end = periodEnd(await world.show(subscription.id));
  expect((await world.change(subscription.id, { seats: 2 })).status).toBe(200);
  await row.passTo(end - PREPARE_WINDOW_MS + HOUR_MS);
  await world.settle();
  expect(await row.marker(subscription)).toMatchObject({ state: 'prepared' });
  row.lose(true);
  row.break('provider_a', `/v1/subscriptions/${subscription.reference}`, 'answer_500');
  expect((await world.command(subscription.id, 'cancel')).status).toBe(202);
  await row.passTo(end + MINUTE_MS);
  row.hearAgain();
  await row.settleLater();
  expect(await row.summary(subscription)).toBe('active, basic × 2, ends');
  expect(await row.kinds(subscription)).toEqual([
    'seat_decrease_scheduled',
    'renewal_prepared',
    'scheduled_change_applied',
    'cancel_scheduled',
    'period_turned',
  ]);
});
