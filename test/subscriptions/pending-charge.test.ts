import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { periodEnd } from '../support/provider-row';
import type { WorldSubscription } from '../support/provider-world';
import { useProviderRow } from '../support/use-provider-world';

/** A renewal at provider C whose charge is answered by the bank days later. */
const { world, row } = useProviderRow();

const account = () => world.simulators.providers.c.controls(world.secrets.provider_c['secretKey'] ?? '');

async function payments({ id }: WorldSubscription): Promise<number> {
  const sql = `SELECT id FROM tollgate.payments WHERE subscription_id = $1 AND status = 'succeeded'`;
  return (await world.service.database.query(sql, [id])).length;
}

/** Creates a subscription whose renewal is not charged yet; `end` is the time of that renewal. */
async function renewed(lost: boolean): Promise<{ subscription: WorldSubscription; end: number }> {
  const subscription = await world.subscribe('provider_c');
  account().setCards(subscription.email, 'pend');
  const end = periodEnd(await world.show(subscription.id));
  row.lose(lost);
  await world.advanceTo(end + MINUTE_MS);
  const { status, currentPeriodStart } = await world.show(subscription.id);
  expect([status, currentPeriodStart]).toEqual(['active', new Date(end).toISOString()]);
  return { subscription, end };
}

async function answered(outcome: 'succeed' | 'decline'): Promise<void> {
  account().settleCharges(outcome);
  await deliverWebhooks(world.simulators.core.outbox);
}

describe.each([false, true])('the charge of a renewal at provider C (webhooks lost: %s)', (lost) => {
  test('that fails two days later makes the subscription past due', async () => {
    const { subscription, end } = await renewed(lost);
    await world.advanceTo(end + 2 * DAY_MS);
    expect((await world.show(subscription.id)).status).toBe('active');
    await answered('decline');
    await world.advanceTo(end + 2 * DAY_MS + 6 * HOUR_MS + MINUTE_MS);
    expect((await world.show(subscription.id)).status).toBe('past_due');
    expect(await row.kinds(subscription)).toEqual(['period_turned', 'became_past_due']);
    expect(await payments(subscription)).toBe(1);
  });

  test('that succeeds two days later is recorded once', async () => {
    const { subscription, end } = await renewed(lost);
    await world.advanceTo(end + 2 * DAY_MS);
    expect(await payments(subscription)).toBe(1);
    await answered('succeed');
    await world.advanceTo(end + 2 * DAY_MS + 6 * HOUR_MS + MINUTE_MS);
    expect((await world.show(subscription.id)).status).toBe('active');
    expect(await row.kinds(subscription)).toEqual(['period_turned']);
    expect(await payments(subscription)).toBe(2);
    // It is read again at its end only.
    const { currentPeriodEnd, ...shown } = await world.show(subscription.id);
    await world.advanceBy(7 * HOUR_MS);
    expect((await world.show(subscription.id))['waitingFor']).toMatch(
      `The billing period ends at ${currentPeriodEnd}`,
    );
    expect(shown.status).toBe('active');
  });
});

test('the announcement of the next charge at provider C, three days ahead, is no charge to wait for', async () => {
  const subscription = await world.subscribe('provider_c');
  const end = periodEnd(await world.show(subscription.id));
  await world.advanceTo(end - 2 * DAY_MS);
  const { currentPeriodEnd, ...shown } = await world.show(subscription.id);
  expect(shown['waitingFor']).toMatch(`The billing period ends at ${currentPeriodEnd}`);
});

test('a subscription at provider C that is cancelled while its charge is pending ends at its end', async () => {
  const { subscription } = await renewed(true);
  expect((await world.command(subscription.id, 'cancel')).status).toBe(200);
  await answered('succeed');
  await world.advanceTo(periodEnd(await world.show(subscription.id)) + MINUTE_MS);
  expect((await world.show(subscription.id)).status).toBe('cancelled');
  expect(await payments(subscription)).toBe(2);
});
