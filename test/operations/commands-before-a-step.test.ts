import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/domain/instant';
import { TollgateError } from '../../src/domain/errors';
import type { CommandMessage } from '../../src/outbox/command-message';
import type { CommandSender } from '../../src/operations/command-sender';
import { createCustomer, createPlan, idOf, subscribe } from '../catalog/offer';
import { command, dataOf, historyOf } from '../support/billing';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

/**
 * Local billing: a command that was accepted before a renewal or an expiry counts before it, even if no worker runs
 * until later.
 */
let reaches: (direct: CommandSender, message: CommandMessage) => ReturnType<CommandSender['send']>;
const sent: CommandMessage[] = [];

const lost: typeof reaches = () => Promise.resolve('pending');
const arrives: typeof reaches = (direct, message) => direct.send(message);
const away: typeof reaches = () => {
  throw new TollgateError('temporal_unavailable', 'Away.', { retryAfter: 5 });
};

const service = useService({
  commands: (direct) => ({
    send: (message) => {
      sent.push(message);
      return reaches(direct, message);
    },
  }),
});
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { role: 'owner' });
  const patient = { pastDueAfterDays: 40, graceDays: 40, expireAfterDays: 300 };
  expect((await client.patch('/api/billing/settings', { body: patient })).status).toBe(200);
});
beforeEach(() => {
  reaches = arrives;
});
afterEach(() => {
  service.clock.ahead = 0;
});

/** Sends a command that is answered 202 and has not reached its workflow. */
async function delayed(send: () => Promise<{ status: number }>): Promise<CommandMessage> {
  reaches = lost;
  expect(await send()).toMatchObject({ status: 202 });
  reaches = arrives;
  const message = sent.at(-1);
  if (message === undefined) throw new Error('Nothing was sent.');
  return message;
}

async function passDays(days: number): Promise<OperatorClient> {
  service.clock.ahead += days * DAY_MS;
  return logIn(service, { role: 'owner', workspaceId: client.workspaceId });
}

/** The workflow wakes, before any command is sent to it again. */
const wakes = (id: string) =>
  service.direct.catchUp({ workspaceId: client.workspaceId, environment: 'sandbox' }, id);

async function open(): Promise<string> {
  const { externalId } = await createCustomer(client);
  const planId = await createPlan(client, {
    pricing: 'per_seat',
    price: { amount: '1000', currency: 'USD' },
  });
  return idOf(await subscribe(client, { externalId, planId, seats: 5 }));
}
const seats = (id: string, count: number, key: string = randomUUID()) =>
  command(client, id, 'change', { body: { seats: count }, key });
const pay = (payer: OperatorClient, transactionId: string, amount: unknown) =>
  payer.post('/api/billing/payments', {
    headers: { 'Idempotency-Key': randomUUID() },
    body: { transactionId, amount },
  });
const show = async (asking: OperatorClient, id: string) =>
  (await asking.get(`/api/billing/subscriptions/${id}`)).body;

async function renewalsOf(asking: OperatorClient, id: string): Promise<unknown[]> {
  const listed = await asking.get('/api/billing/transactions', { query: { subscriptionId: id } });
  return dataOf(listed)
    .filter(({ kind }) => kind === 'renewal')
    .map(({ total }) => (total as { amount: string }).amount)
    .reverse();
}

test('seats given back before a renewal are not charged by it, nor by those after it', async () => {
  const id = await open();
  const { currentPeriodEnd } = await show(client, id);
  const given = await delayed(() => seats(id, 2));
  const later = await passDays(93);
  await wakes(id);
  expect(await renewalsOf(later, id)).toEqual(['2000', '2000', '2000']);
  expect(await historyOf(later, id)).toEqual([
    ...['created', 'seat_decrease_scheduled', 'scheduled_change_applied', 'period_turned'],
    ...['became_past_due', 'period_turned', 'period_turned'],
  ]);
  // Sent again, it finds its answer.
  expect(await service.direct.send(given)).toBe('applied');
  const { body } = await later.get(`/api/billing/operations/${given.operationId}`);
  const answer = { body: { effective: 'next_renewal', effectiveAt: currentPeriodEnd } };
  expect(body).toMatchObject({ status: 'succeeded', answer });
  expect(await show(later, id)).toMatchObject({ seats: 2, scheduledChange: null });
});

test('it counts before the renewal, too, if it arrives before the workflow wakes', async () => {
  const id = await open();
  const given = await delayed(() => seats(id, 2));
  const later = await passDays(32);
  expect(await service.direct.send(given)).toBe('applied');
  await wakes(id);
  expect(await renewalsOf(later, id)).toEqual(['2000']);
});

test('one that an api of an earlier version accepted counts after the renewal, as in that version', async () => {
  const id = await open();
  const given = await delayed(() => seats(id, 2));
  await service.database.query('UPDATE tollgate.operations SET submitted_at = NULL WHERE id = $1', [
    given.operationId,
  ]);
  const later = await passDays(32);
  expect(await service.direct.send(given)).toBe('applied');
  expect(await renewalsOf(later, id)).toEqual(['5000']);
  expect(await show(later, id)).toMatchObject({ seats: 5, scheduledChange: { seats: 2 } });
});

test('a cancellation before a renewal leaves nothing to charge', async () => {
  const id = await open();
  await delayed(() => command(client, id, 'cancel'));
  const later = await passDays(32);
  await wakes(id);
  expect(await historyOf(later, id)).toEqual(['created', 'cancelled']);
  expect(await renewalsOf(later, id)).toEqual([]);
});

test('a payment before the expiry prevents it', async () => {
  const id = await open();
  const [{ id: transactionId, total } = {}] = dataOf(
    await client.get('/api/billing/transactions', { query: { subscriptionId: id } }),
  );
  const debtor = await passDays(50);
  await wakes(id);
  expect(await show(debtor, id)).toMatchObject({ status: 'past_due' });
  await delayed(() => pay(debtor, String(transactionId), total));
  const later = await passDays(300);
  await wakes(id);
  expect(await show(later, id)).toMatchObject({ status: 'past_due' });
  expect(await historyOf(later, id)).not.toContain('expired');
});

test('a payment before the deadline of a checkout starts the subscription', async () => {
  const { externalId } = await createCustomer(client);
  const checkout = await client.post('/api/billing/checkouts', {
    headers: { 'Idempotency-Key': randomUUID() },
    body: { externalId, planId: await createPlan(client) },
  });
  const { id, subscriptionId, transaction, amountDue } = checkout.body;
  const transactionId = (transaction as { id: string }).id;
  await delayed(() => pay(client, transactionId, amountDue));
  const later = await passDays(10);
  const scope = { workspaceId: client.workspaceId, environment: 'sandbox' } as const;
  await service.direct.catchUpCheckout(scope, String(id));
  expect((await later.get(`/api/billing/checkouts/${String(id)}`)).body).toMatchObject({
    status: 'complete',
  });
  expect(await show(later, String(subscriptionId))).toMatchObject({ status: 'active' });
});

test.each([
  ['is refused', { planSlug: 'gone' }],
  ['fails through an internal error', { seats: 'many' }],
])('one that %s holds up neither the renewal nor those after it', async (_, input) => {
  const id = await open();
  const failing = await delayed(() => seats(id, 2));
  await service.database.query('UPDATE tollgate.operations SET input = $2 WHERE id = $1', [
    failing.operationId,
    input,
  ]);
  await delayed(() => seats(id, 3));
  const later = await passDays(32);
  await wakes(id);
  expect(await renewalsOf(later, id)).toEqual(['3000']);
});

test('one that was refused with 503 before the renewal, and sent again after it, counts after it', async () => {
  const id = await open();
  const key = randomUUID();
  reaches = away;
  expect(await seats(id, 2, key)).toMatchObject({ status: 503 });
  const later = await passDays(32);
  const body = { seats: 2 };
  await delayed(() => command(later, id, 'change', { body, key }));
  await wakes(id);
  expect(await renewalsOf(later, id)).toEqual(['5000']);
  expect(await service.direct.send(sent.at(-1) as CommandMessage)).toBe('applied');
  expect(await show(later, id)).toMatchObject({ seats: 5, scheduledChange: { seats: 2 } });
});

test('one that was refused with 503 and sent again goes after what was accepted in between', async () => {
  const id = await open();
  const key = randomUUID();
  reaches = away;
  expect(await seats(id, 9, key)).toMatchObject({ status: 503 });
  const between = await delayed(() => seats(id, 7));
  const again = await delayed(() => seats(id, 9, key));
  await service.direct.send(again);
  await service.direct.send(between);
  expect(await show(client, id)).toMatchObject({ seats: 9, scheduledChange: null });
});
