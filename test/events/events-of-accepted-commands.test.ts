import { randomUUID } from 'node:crypto';
import { TollgateError } from '../../src/domain/errors';
import { HOUR_MS } from '../../src/domain/instant';
import type { CommandSender } from '../../src/operations/command-sender';
import type { CommandMessage } from '../../src/outbox/command-message';
import { createCustomer, createPlan, idOf, subscribe } from '../catalog/offer';
import { command } from '../support/billing';
import { logIn, type ConsoleAnswer, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

/** Events of a command that was answered 202 are found by its request, however much later it is carried out. */
let reaches: (direct: CommandSender, message: CommandMessage) => ReturnType<CommandSender['send']>;
const sent: CommandMessage[] = [];

const service = useService({
  commands: (direct) => ({
    send: (message) => {
      sent.push(message);
      return reaches(direct, message);
    },
  }),
});
let client: OperatorClient;
let id: string;
beforeAll(async () => {
  client = await logIn(service, { role: 'owner' });
});
beforeEach(async () => {
  const { externalId } = await createCustomer(client);
  const planId = await createPlan(client, {
    pricing: 'per_seat',
    price: { amount: '1000', currency: 'USD' },
  });
  id = idOf(await subscribe(client, { externalId, planId, seats: 5 }));
});
afterEach(() => {
  service.clock.ahead = 0;
});

const seats = (count: number, key: string = randomUUID()) =>
  command(client, id, 'change', { body: { seats: count }, key });

async function changesOf(answer: ConsoleAnswer): Promise<unknown[]> {
  const requestId = answer.headers.get('request-id') ?? '';
  const { body } = await client.get('/api/developer-events', { query: { requestId } });
  return (body['data'] as { data: { change?: string } }[]).map(({ data }) => data.change);
}

async function carriedOutHoursLater(): Promise<void> {
  service.clock.ahead = 6 * HOUR_MS;
  expect(await service.direct.send(sent.at(-1) as CommandMessage)).toBe('applied');
}

test('a command that is carried out hours later', async () => {
  reaches = () => Promise.resolve('pending');
  const accepted = await seats(7);
  expect(accepted.status).toBe(202);
  expect(await changesOf(accepted)).toEqual([]);
  await carriedOutHoursLater();
  expect(await changesOf(accepted)).toEqual(['seats_increased']);
});

test('a command that is sent again after a 503: by the request that was accepted', async () => {
  const key = randomUUID();
  reaches = () => {
    throw new TollgateError('temporal_unavailable', 'Away.', { retryAfter: 5 });
  };
  const refused = await seats(7, key);
  expect(refused.status).toBe(503);
  reaches = () => Promise.resolve('pending');
  const accepted = await seats(7, key);
  expect(accepted.status).toBe(202);
  await carriedOutHoursLater();
  expect(await changesOf(accepted)).toEqual(['seats_increased']);
  expect(await changesOf(refused)).toEqual([]);
});
