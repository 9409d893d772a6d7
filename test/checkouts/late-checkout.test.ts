import { randomUUID } from 'node:crypto';
import { createCustomer } from '../catalog/offer';
import type { CommandMessage } from '../../src/outbox/command-message';
import type { ConsoleAnswer } from '../support/operator';
import { useProviderWorld } from '../support/use-provider-world';

/**
 * A customer whose checkout was not answered presses the button again. The first checkout, retried after the outage,
 * must not end the page that the customer is on by then.
 */
let isAway = false;
const sent: CommandMessage[] = [];

const world = useProviderWorld({
  commands: (direct) => ({
    send: (message) => {
      sent.push(message);
      return isAway ? Promise.resolve('pending') : direct.send(message);
    },
  }),
});
beforeEach(() => {
  isAway = false;
});

const offer = (externalId: string, provider = 'provider_a'): Promise<ConsoleAnswer> =>
  world.operator.post('/api/billing/checkouts', {
    body: { externalId, planSlug: 'pro', provider },
    headers: { 'Idempotency-Key': randomUUID() },
  });

/** Starts a checkout that is answered 202 and reaches its workflow later. */
async function delayed(externalId: string): Promise<CommandMessage> {
  isAway = true;
  expect(await offer(externalId)).toMatchObject({ status: 202 });
  isAway = false;
  const message = sent.at(-1);
  if (message === undefined) throw new Error('Nothing was sent.');
  return message;
}

/** Delivers the command as its job does. */
const arrives = (message: CommandMessage): Promise<unknown> => world.service.direct.send(message);

const operation = async ({ operationId }: CommandMessage): Promise<Record<string, unknown>> =>
  (await world.operator.get(`/api/billing/operations/${operationId}`)).body;

const stateOf = async ({ body }: ConsoleAnswer): Promise<unknown> =>
  (await world.operator.get(`/api/billing/checkouts/${String(body['id'])}`)).body['status'];

async function customer(): Promise<string> {
  const { externalId } = await createCustomer(world.operator);
  return externalId;
}

test.each(['provider_a', 'internal'])(
  'the page of a later one at %s stays, and is paid',
  async (provider) => {
    const externalId = await customer();
    const first = await delayed(externalId);
    const second = await offer(externalId, provider);
    expect(second).toMatchObject({ status: 201, body: { status: 'open' } });
    await arrives(first);
    expect(await stateOf(second)).toBe('open');
    expect(await operation(first)).toMatchObject({
      status: 'refused',
      problem: { code: 'checkout_not_open' },
    });
    if (provider === 'internal') {
      // The activity is repeated after a crash, when the page is gone; the customer has been refused by then.
      await world.operator.post(`/api/billing/checkouts/${String(second.body['id'])}/expire`);
      await arrives(first);
      expect(await operation(first)).toMatchObject({ status: 'refused' });
      return;
    }
    await world.pay('provider_a', String(second.body['url']));
    await world.settle();
    expect(await stateOf(second)).toBe('complete');
  },
);

test('it takes the place of one that was made before it was asked for', async () => {
  const externalId = await customer();
  const earlier = await offer(externalId);
  const late = await delayed(externalId);
  await arrives(late);
  expect([await stateOf(earlier), (await operation(late))['status']]).toEqual(['expired', 'succeeded']);
});
