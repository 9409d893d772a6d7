import { DAY_MS } from '../../src/domain/instant';
import type { CommandMessage } from '../../src/outbox/command-message';
import type { CommandSender } from '../../src/operations/command-sender';
import { createCustomer, createPlan, idOf, subscribe } from '../catalog/offer';
import { command } from '../support/billing';
import { ProviderARow } from '../support/provider-a-row';
import { useProviderWorld } from '../support/use-provider-world';

/**
 * The commands on a subscription are carried out in the order of their acceptance, even if an outage makes a later one
 * arrive first.
 */
let reaches: (direct: CommandSender, message: CommandMessage) => ReturnType<CommandSender['send']>;
const sent: CommandMessage[] = [];

const lost: typeof reaches = () => Promise.resolve('pending');
const arrives: typeof reaches = (direct, message) => direct.send(message);

const world = useProviderWorld({
  commands: (direct) => ({
    send: (message) => {
      sent.push(message);
      return reaches(direct, message);
    },
  }),
});
beforeEach(() => {
  reaches = arrives;
});

/** Sends a command that is answered 202 and reaches its workflow later. */
async function delayed(send: () => Promise<{ status: number }>): Promise<CommandMessage> {
  reaches = lost;
  expect(await send()).toMatchObject({ status: 202 });
  reaches = arrives;
  const message = sent.at(-1);
  if (message === undefined) throw new Error('Nothing was sent.');
  return message;
}

async function endOf({ operationId }: CommandMessage): Promise<unknown> {
  const { body } = await world.operator.get(`/api/billing/operations/${operationId}`);
  return body['status'];
}

test('A: a reactivation goes after the cancellation that was accepted before it', async () => {
  const { id } = await world.subscribe('provider_a');
  const first = await delayed(() => command(world.operator, id, 'cancel'));
  expect(await command(world.operator, id, 'reactivate')).toMatchObject({ status: 200 });
  expect(await endOf(first)).toBe('succeeded');
  await world.service.direct.send(first);
  expect(await world.show(id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: false });
});

test('C: what is asked for meanwhile waits for the provider’s word on the command before it', async () => {
  const subscription = await world.subscribe('provider_c');
  const { id } = subscription;
  const first = await delayed(() => command(world.operator, id, 'cancel'));
  const second = await delayed(() => command(world.operator, id, 'reactivate'));
  await world.service.direct.send(second);
  await world.service.direct.send(first);
  expect([await endOf(first), await endOf(second)]).toEqual(['succeeded', 'succeeded']);
  expect(await world.atProvider(subscription)).toMatchObject({ cancelAtPeriodEnd: false });
});

test('A: one that its provider has refused is refused once, though it arrives after all', async () => {
  const row = new ProviderARow(world);
  const subscription = await row.subscribe({ seats: 2 });
  await row.setCard(subscription, 'declines');
  const first = await delayed(() => world.change(subscription.id, { plan: 'large' }));
  const second = await delayed(() => world.change(subscription.id, { seats: 5 }));
  await expect(world.service.direct.send(second)).resolves.toBe('applied');
  expect([await endOf(first), await endOf(second)]).toEqual(['refused', 'refused']);
  await expect(world.service.direct.send(first)).resolves.toBe('applied');
  await world.settle();
  expect(row.happened(subscription, 'invoice.payment_failed')).toBe(2);
  expect(await row.kinds(subscription)).toEqual(['change_refused', 'change_refused']);
  await row.setCard(subscription, 'pays');
  await world.service.direct.send(first);
  expect(await row.summary(subscription)).toBe('active, pro × 2');
});

describe('local billing', () => {
  const seats = (id: string, count: number) =>
    command(world.operator, id, 'change', { body: { seats: count } });

  async function open(): Promise<string> {
    const { externalId } = await createCustomer(world.operator);
    const planId = await createPlan(world.operator, { pricing: 'per_seat' });
    return idOf(await subscribe(world.operator, { externalId, planId, seats: 2 }));
  }

  const order = (message: CommandMessage, input: object): Promise<unknown> =>
    world.service.database.query('UPDATE tollgate.operations SET input = $2 WHERE id = $1', [
      message.operationId,
      input,
    ]);

  test('more seats that were accepted first are there before fewer are scheduled', async () => {
    const id = await open();
    await delayed(() => seats(id, 9));
    await delayed(() => seats(id, 8));
    expect(await seats(id, 3)).toMatchObject({ status: 200, body: { effective: 'next_renewal' } });
    expect(await world.show(id)).toMatchObject({ seats: 9, scheduledChange: { seats: 3 } });
  });

  test('one of an earlier version goes after what this version accepted before it, also on a clock that was moved', async () => {
    await world.advanceBy(DAY_MS);
    const id = await open();
    const first = await delayed(() => seats(id, 9));
    const second = await delayed(() => seats(id, 11));
    await world.service.database.query('UPDATE tollgate.operations SET submitted_at = NULL WHERE id = $1', [
      second.operationId,
    ]);
    await world.service.direct.send(first);
    await world.service.direct.send(second);
    expect(await world.show(id)).toMatchObject({ seats: 11, scheduledChange: null });
  });

  test('one that is refused, or fails with an internal error, does not hold up the others', async () => {
    const id = await open();
    const refused = await delayed(() => seats(id, 9));
    const faulty = await delayed(() => seats(id, 8));
    await order(refused, { planSlug: 'gone' });
    await order(faulty, { seats: 'many' });
    expect(await seats(id, 5)).toMatchObject({ status: 200, body: { effective: 'immediate' } });
    expect(await world.show(id)).toMatchObject({ seats: 5 });
    expect([await endOf(refused), await endOf(faulty)]).toEqual(['refused', 'accepted']);
    await world.service.database.query('DELETE FROM tollgate.operations WHERE id = $1', [faulty.operationId]);
  });
});
