import { migrate } from '../../src/db/migrate';
import { createCustomer, idOf, pointersOf, subscribe } from '../catalog/offer';
import { command, twoPlans } from '../support/billing';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

/** A plan that every subscription has left for another one is still one that had subscriptions. */
const service = useService({ commands: 'direct' });
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { role: 'developer' });
});

/** Subscribes a customer to the first plan and changes it to the second at once. */
async function change(from: string, to: string): Promise<void> {
  const { externalId } = await createCustomer(client);
  const id = idOf(await subscribe(client, { externalId, planId: from }));
  const changed = await command(client, id, 'change', { body: { planId: to } });
  expect([changed.status, changed.body['effective']]).toEqual([200, 'immediate']);
}

async function requireFixed(planId: string): Promise<void> {
  for (const [body, pointer] of [
    [{ price: { amount: '1000', currency: 'EUR' } }, '/price/currency'],
    [{ interval: 'year' }, '/interval'],
    [{ pricing: 'flat' }, '/pricing'],
  ] as const) {
    const fixed = await client.patch(`/api/plans/${planId}`, { body });
    expect([fixed.status, fixed.body['code'], pointersOf(fixed)]).toEqual([
      409,
      'plan_terms_fixed',
      [pointer],
    ]);
  }
  const removed = await client.delete(`/api/plans/${planId}`);
  expect([removed.status, removed.body['code']]).toEqual([409, 'plan_in_use']);
}

test('it keeps its terms and is not deleted, however many have left it', async () => {
  const { starter, pro } = await twoPlans(client);
  await change(starter, pro);
  await requireFixed(starter);
  await change(starter, pro);
  await requireFixed(starter);
  expect((await client.patch(`/api/plans/${starter}`, { body: { name: 'Starter 2' } })).status).toBe(200);
});

test('a plan that was left before the database kept such plans is known from the history', async () => {
  const { starter, pro } = await twoPlans(client);
  const unused = (await twoPlans(client)).starter;
  await service.database.query(`DROP TABLE tollgate.plans_once_subscribed`);
  await service.database.query(`DROP FUNCTION tollgate.keep_plan_of_subscription CASCADE`);
  await change(starter, pro);
  await service.database.query(
    `DELETE FROM tollgate_migrations.applied WHERE name BETWEEN '0096' AND '0101'`,
  );
  const names = await migrate(service.database.url('tollgate_migrator'));
  expect(names).toEqual([
    '0096_plans_once_subscribed.sql',
    '0097_earlier_history.sql',
    '0098_plans_left_before.sql',
    '0099_end_of_earlier_history.sql',
    '0100_end_of_earlier_plans.sql',
  ]);
  await requireFixed(starter);
  expect((await client.delete(`/api/plans/${unused}`)).status).toBe(204);
});
