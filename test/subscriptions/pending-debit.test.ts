import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { periodEnd } from '../support/provider-row';
import type { WorldSubscription } from '../support/provider-world';
import { useProviderARow } from '../support/use-provider-world';

/** A renewal at provider A that is debited from a bank account, and answered by the bank days later. */
const { world, row } = useProviderARow();

/** Creates a subscription whose renewal is being debited; `end` is the time of that renewal. */
async function renewed(lost: boolean): Promise<{ subscription: WorldSubscription; end: number }> {
  const subscription = await row.subscribe();
  row.account.setDraftHours(1);
  await row.setCard(subscription, 'pends');
  const end = periodEnd(await world.show(subscription.id));
  row.lose(lost);
  await world.advanceTo(end + 2 * HOUR_MS);
  // A webhook may only come now, and the charge is read minutes later.
  await world.advanceTo(end + 3 * HOUR_MS);
  expect((await world.show(subscription.id)).status).toBe('active');
  return { subscription, end };
}

async function answered(answer: 'succeeded' | 'failed'): Promise<void> {
  row.account.answerDebits(answer);
  await deliverWebhooks(world.simulators.core.outbox);
}

// https://docs.stripe.com/billing/subscriptions/sepa-debit
describe.each([false, true])('a renewal that a bank has not answered yet (webhooks lost: %s)', (lost) => {
  test('has neither been paid nor failed, and is paid when the bank pays', async () => {
    const { subscription, end } = await renewed(lost);
    expect(await row.paymentStatuses(subscription)).toEqual(['succeeded', 'pending']);
    await world.advanceTo(end + 5 * DAY_MS);
    expect((await world.show(subscription.id)).status).toBe('active');
    expect(await row.differences(subscription)).toEqual([]);
    expect(await row.paymentStatuses(subscription)).toEqual(['succeeded', 'pending']);
    await answered('succeeded');
    await world.advanceTo(end + 5 * DAY_MS + 6 * HOUR_MS + MINUTE_MS);
    expect((await world.show(subscription.id)).status).toBe('active');
    expect(await row.paymentStatuses(subscription)).toEqual(['succeeded', 'succeeded']);
    expect(await row.kinds(subscription)).not.toContain('payment_failed');
  });

  test('has failed when the bank returns it', async () => {
    const { subscription, end } = await renewed(lost);
    await world.advanceTo(end + 5 * DAY_MS);
    await answered('failed');
    await world.advanceTo(end + 5 * DAY_MS + 6 * HOUR_MS + MINUTE_MS);
    expect((await world.show(subscription.id)).status).toBe('past_due');
    expect(await row.paymentStatuses(subscription)).toEqual(['succeeded', 'failed']);
  });
});
