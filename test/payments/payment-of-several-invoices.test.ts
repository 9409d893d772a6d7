import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { periodEnd } from '../support/provider-row';
import { useProviderARow } from '../support/use-provider-world';

const { world, row } = useProviderARow();

const order = {
  'in order': (ids: string[]) => ids,
  'in reverse': (ids: string[]) => ids.reverse(),
  never: () => [],
};

// https://docs.stripe.com/api/invoice-payment/object: a payment may not be enough for all the invoices that it pays.
test.each(['in order', 'in reverse', 'never'] as const)(
  'a payment at provider A that pays two invoices is recorded once, in its own amount, if webhooks arrive %s',
  async (arrive) => {
    row.account.setAfterRetries('past_due');
    const subscription = await row.subscribe();
    const end = periodEnd(await world.show(subscription.id));
    await row.setCard(subscription, 'declines');
    await world.advanceTo(end + 32 * DAY_MS);
    const { outbox } = world.simulators.core;
    const before = new Set(outbox.deliveries.map(({ id }) => id));
    row.lose(true);
    row.account.payAtOnce(subscription.reference);
    await outbox.flush();
    const lost = outbox.deliveries.map(({ id }) => id).filter((id) => !before.has(id));
    row.lose(arrive === 'never');
    for (const id of order[arrive](lost)) {
      outbox.resend(id);
      await outbox.flush();
    }
    await world.advanceBy(7 * HOUR_MS);
    expect((await world.show(subscription.id)).status).toBe('active');
    const { body } = await world.operator.get('/api/billing/payments', {
      query: { subscriptionId: subscription.id },
    });
    const payments = body['data'] as { status: string; amount: { amount: string } }[];
    expect(payments.map(({ status, amount }) => `${status} ${amount.amount}`).sort()).toEqual([
      'failed 3000',
      'failed 3000',
      'succeeded 3000',
      'succeeded 6000',
    ]);
  },
);
