import { createCustomer, createPlan, idOf, subscribe } from '../catalog/offer';
import { command, historyOf } from '../support/billing';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

/** Section 3, internal, reactivate: not supported, and reported as such. */
const service = useService({ commands: 'direct' });
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { role: 'developer' });
});

test.each([['active'], ['cancelled']])(
  'of an %s subscription it is an explicit capability error',
  async (status) => {
    const { externalId } = await createCustomer(client);
    const id = idOf(await subscribe(client, { externalId, planId: await createPlan(client) }));
    if (status === 'cancelled') await command(client, id, 'cancel');
    const { body: before } = await client.get(`/api/billing/subscriptions/${id}`);
    const history = await historyOf(client, id);
    const refused = await command(client, id, 'reactivate');
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({
      code: 'capability_unsupported',
      capability: {
        name: 'reactivate',
        supported: false,
        available: false,
        timing: null,
        reasonCode: 'new_subscription_needed',
      },
    });
    expect((await client.get(`/api/billing/subscriptions/${id}`)).body).toEqual(before);
    expect(await historyOf(client, id)).toEqual(history);
  },
);
