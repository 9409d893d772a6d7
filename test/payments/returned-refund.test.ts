import { DAY_MS } from '../../src/domain/instant';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { useProviderARow } from '../support/use-provider-world';

const { world, row } = useProviderARow();

// Card refunds succeed at once, and may still fail 30 days later (https://docs.stripe.com/refunds#failed-refunds).
test('a refund that the bank has sent back to provider A is read with its payment, if no webhook says so', async () => {
  const subscription = await row.subscribe();
  const [charge] = row.account.books().payments.map(({ disputable }) => disputable ?? '');
  const refund = await row.refundAtProvider(charge ?? '', 500);
  await deliverWebhooks(world.simulators.core.outbox);
  const refunds = async () => {
    const { body } = await world.operator.get('/api/billing/refunds');
    return (body['data'] as { status: string; amount: { amount: string } }[]).map(
      ({ status, amount }) => `${status} ${amount.amount}`,
    );
  };
  expect(await refunds()).toEqual(['succeeded 500']);
  row.lose(true);
  row.account.settleRefund(refund, 'failed');
  await world.advanceBy(DAY_MS);
  const { body } = await world.operator.get(`/api/billing/subscriptions/${subscription.id}/drift`);
  expect(body).toMatchObject({ inSync: true });
  expect(await refunds()).toEqual(['failed 500']);
});
