import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { ProviderRow } from '../support/provider-row';
import { useProviderWorld } from '../support/use-provider-world';

const world = useProviderWorld();
const row = new ProviderRow(world);
afterEach(() => {
  row.hearAgain();
});

test('a dispute at provider B is read until it is decided, longer than B lists it, without a webhook', async () => {
  const subscription = await world.subscribe('provider_b');
  const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
  const account = world.simulators.providers.b.account({ clientId, clientSecret });
  const id = account.dispute(account.books().payments.at(-1)?.reference ?? '');
  await world.advanceBy(HOUR_MS);
  await world.command(subscription.id, 'cancel');
  const disputes = () =>
    world.service.database.query(
      `SELECT d.status, r.kind, r.status AS refund FROM tollgate.disputes d
         JOIN tollgate.payments p ON p.id = d.payment_id
         LEFT JOIN tollgate.refunds r ON r.payment_id = p.id
        WHERE p.subscription_id = $1`,
      [subscription.id],
    );
  expect(await disputes()).toEqual([{ status: 'open', kind: null, refund: null }]);
  await world.advanceBy(200 * DAY_MS);
  row.lose(true);
  account.resolveDispute(id, 'lost');
  await world.advanceBy(HOUR_MS);
  await world.operator.post('/api/billing/settlements/collect', { body: {} });
  expect(await disputes()).toEqual([{ status: 'lost', kind: 'dispute', refund: 'succeeded' }]);
});
