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
    expect(await row.paymentStatuses(subscription)).toEqual(['succeeded', 'pending']);
    await world.advanceTo(end + 6 * DAY_MS);
    expect(await row.differences(subscription)).toEqual([]);
    await answered('clear');
    await world.advanceTo(end + 8 * DAY_MS);
    expect(await row.differences(subscription)).toEqual([]);
    expect(await row.paymentStatuses(subscription)).toEqual(['succeeded', 'succeeded']);
    expect((await world.show(subscription.id)).status).toBe('active');
  });

  test('makes the subscription past due when it is returned', async () => {
    const { subscription, end } = await renewed(lost);
    await world.advanceTo(end + 4 * DAY_MS);
    await answered('return');
    await world.advanceTo(end + 5 * DAY_MS + HOUR_MS);
    await row.differences(subscription);
    await world.advanceBy(HOUR_MS);
    expect(await row.paymentStatuses(subscription)).toEqual(['succeeded', 'failed']);
    if (!lost) expect((await world.show(subscription.id)).status).toBe('past_due');
  });
});
