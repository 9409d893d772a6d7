import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { periodEnd } from '../support/provider-row';
import type { WorldSubscription } from '../support/provider-world';
import { useProviderRow } from '../support/use-provider-world';

/** A renewal at provider B that is paid by a cheque, which clears or is returned days later. */
const { world, row } = useProviderRow();

const account = () => {
  const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
  return world.simulators.providers.b.account({ clientId, clientSecret });
};

/** Returns the status of each payment, earliest first. */
async function payments({ id }: WorldSubscription): Promise<unknown[]> {
  const sql = `SELECT status FROM tollgate.payments WHERE subscription_id = $1 ORDER BY received_at, id`;
  return (await world.service.database.query(sql, [id])).map(({ status }) => status);
}

async function drift({ id }: WorldSubscription): Promise<unknown> {
  return (await world.operator.get(`/api/billing/subscriptions/${id}/drift`)).body['differences'];
}

/** Creates a subscription whose renewal is paid by a cheque; `end` is the time of that renewal. */
async function renewed(lost: boolean): Promise<{ subscription: WorldSubscription; end: number }> {
  const subscription = await world.subscribe('provider_b');
  account().switches.payByCheque = true;
  const end = periodEnd(await world.show(subscription.id));
  row.lose(lost);
  await world.advanceTo(end + MINUTE_MS);
  account().switches.payByCheque = false;
  const { status, currentPeriodStart } = await world.show(subscription.id);
  expect([status, Date.parse(currentPeriodStart) >= end - DAY_MS]).toEqual(['active', true]);
  return { subscription, end };
}

async function answered(outcome: 'clear' | 'return'): Promise<void> {
  account().answerCheques(outcome);
  await deliverWebhooks(world.simulators.core.outbox);
}

describe.each([false, true])('the cheque of a renewal at provider B (webhooks lost: %s)', (lost) => {
  test('is a payment on its way, and no missing one, until it clears', async () => {
    const { subscription, end } = await renewed(lost);
    expect(await payments(subscription)).toEqual(['succeeded', 'pending']);
    await world.advanceTo(end + 6 * DAY_MS);
    expect(await drift(subscription)).toEqual([]);
    await answered('clear');
    await world.advanceTo(end + 8 * DAY_MS);
    expect(await drift(subscription)).toEqual([]);
    expect(await payments(subscription)).toEqual(['succeeded', 'succeeded']);
    expect((await world.show(subscription.id)).status).toBe('active');
  });

  test('makes the subscription past due when it is returned', async () => {
    const { subscription, end } = await renewed(lost);
    await world.advanceTo(end + 4 * DAY_MS);
    await answered('return');
    await world.advanceTo(end + 5 * DAY_MS + HOUR_MS);
    await drift(subscription);
    await world.advanceBy(HOUR_MS);
    expect(await payments(subscription)).toEqual(['succeeded', 'failed']);
    if (!lost) expect((await world.show(subscription.id)).status).toBe('past_due');
  });
});
