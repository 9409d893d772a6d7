import { Client } from 'pg';
import { HOUR_MS } from '../../src/domain/instant';
import { openDatabase } from '../../src/db/pools';
import { createLogger } from '../../src/telemetry/logger';
import { systemClock } from '../../src/clock/system-clock';
import { queueResends } from '../../src/webhook-deliveries/resend-batches';
import { announce, deliveryOf, startDeliverer } from '../webhook-deliveries/rig';
import { Receiver } from '../webhook-deliveries/receiver';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService, type TestService } from '../support/service';
import { until } from '../support/until';

let service: TestService;
let receiver: Receiver;
let client: OperatorClient;
let deliverer: ReturnType<typeof startDeliverer>;
beforeAll(async () => {
  service = await startTestService({ webhookRules: { allowsLoopback: true } });
  receiver = await Receiver.start();
  deliverer = startDeliverer(service.database);
});
beforeEach(async () => {
  client = await logIn(service, { role: 'developer' });
  receiver.received.length = 0;
});
afterAll(async () => {
  await deliverer.stop();
  await receiver.stop();
  await service.stop();
});

const PATH = '/api/webhook-endpoints';
const scope = () => ({ workspaceId: client.workspaceId, environment: 'sandbox' }) as const;
const key = (value: string) => ({ headers: { 'Idempotency-Key': value } });

async function make(body: object): Promise<string> {
  return String((await client.post(PATH, { body })).body['id']);
}

test('a test goes only to its endpoint, once for a key, whatever types it subscribes to', async () => {
  const id = await make({ url: receiver.url('/mine'), types: ['credits.low'] });
  await make({ url: receiver.url('/other') });
  const sent = await client.post(`${PATH}/${id}/test`, key('t1'));
  expect(sent).toMatchObject({ status: 201, body: { type: 'webhook_endpoint.test', endpointId: id } });
  const again = await client.post(`${PATH}/${id}/test`, key('t1'));
  expect(again.body).toEqual(sent.body);
  const messageId = String(sent.body['messageId']);
  await until(async () => (await deliveryOf(service.database, id, messageId))?.status === 'delivered');
  expect(receiver.ids()).toEqual([messageId]);
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    type: 'webhook_endpoint.test',
    id: messageId,
    data: { id, types: ['credits.low'] },
  });
});

test('all since a time: what was missed while it was disabled, and not what it does not take', async () => {
  const id = await make({ url: receiver.url('/a'), types: ['subscription.changed'] });
  const early = await announce(service.database, scope(), { at: Date.now() - HOUR_MS });
  await until(async () => (await deliveryOf(service.database, id, early))?.status === 'delivered');
  await client.patch(`${PATH}/${id}`, { body: { enabled: false } });
  const missed = await announce(service.database, scope());
  await announce(service.database, scope(), { type: 'credits.low' });
  await client.patch(`${PATH}/${id}`, { body: { enabled: true } });
  expect(receiver.ids()).toEqual([early]);

  const since = new Date(Date.now() - 2 * HOUR_MS).toISOString();
  const undelivered = { ...key('r1'), body: { since, undeliveredOnly: true } };
  const started = await client.post(`${PATH}/${id}/resends`, undelivered);
  expect(started).toMatchObject({ status: 202, body: { endpointId: id, undeliveredOnly: true } });
  const ended = async (resend: unknown): Promise<boolean> =>
    (await client.get(`${PATH}/${id}/resends/${String(resend)}`)).body['endedAt'] !== null;
  await until(() => ended(started.body['id']));
  await until(async () => (await deliveryOf(service.database, id, missed))?.status === 'delivered');
  expect(receiver.ids()).toEqual([early, missed]);

  const all = await client.post(`${PATH}/${id}/resends`, { ...key('r2'), body: { since } });
  await until(() => ended(all.body['id']));
  await until(() => receiver.received.length === 4);
  expect(receiver.ids().slice(2).sort()).toEqual([early, missed].sort());
  expect((await client.get(`${PATH}/${id}/resends/${String(all.body['id'])}`)).body['resent']).toBe(2);
});

test('a message that is being written when the endpoint is enabled and asks for what it missed is among it', async () => {
  const id = await make({ url: receiver.url('/late'), types: ['subscription.changed'] });
  await client.patch(`${PATH}/${id}`, { body: { enabled: false } });
  const writing = new Client({ connectionString: service.database.adminUrl });
  await writing.connect();
  const log = createLogger('test', 'silent');
  const own = openDatabase(service.database.url('tollgate_deliverer'), { max: 2, applicationName: 'x', log });
  let late: string;
  let path: string;
  try {
    await writing.query('BEGIN');
    const query = async <Row>(sql: string, values: unknown[] = []) =>
      (await writing.query(sql, values)).rows as Row[];
    late = await announce({ query }, scope());
    await client.patch(`${PATH}/${id}`, { body: { enabled: true } });
    const since = new Date(Date.now() - HOUR_MS).toISOString();
    const started = await client.post(`${PATH}/${id}/resends`, { ...key('late'), body: { since } });
    path = `${PATH}/${id}/resends/${String(started.body['id'])}`;
    await queueResends(own, systemClock);
    expect((await client.get(path)).body['endedAt']).toBeNull();
    await writing.query('COMMIT');
  } finally {
    await Promise.all([writing.end(), own.destroy()]);
  }
  await until(async () => (await client.get(path)).body['endedAt'] !== null);
  await until(async () => (await deliveryOf(service.database, id, late))?.status === 'delivered');
});

test('many are queued in batches, one resend of an endpoint at a time', async () => {
  const id = await make({ url: receiver.url('/many'), types: ['credits.low'] });
  await service.database.query(
    `INSERT INTO tollgate.webhook_messages
       (workspace_id, environment, id, type, resource_kind, resource_id, sequence, happened_at, created_at, payload)
     SELECT $1, 'sandbox', 'msg_' || lpad(n::text, 5, '0'), 'credits.low', 'customer', 'cus_1', n, now(),
            now() - interval '1 hour' + (n / 3) * interval '1 microsecond', '{}'
       FROM generate_series(1, 1200) n`,
    [client.workspaceId],
  );
  const body = { since: '2020-01-01T00:00:00Z' };
  // The first one waits for a transaction that began before it, so that it is still running when the other comes.
  const writing = new Client({ connectionString: service.database.adminUrl });
  await writing.connect();
  let answers: Awaited<ReturnType<typeof client.post>>[];
  try {
    await writing.query('BEGIN; SELECT pg_current_xact_id()');
    answers = await Promise.all(
      ['m1', 'm2'].map((value) => client.post(`${PATH}/${id}/resends`, { ...key(value), body })),
    );
    await writing.query('COMMIT');
  } finally {
    await writing.end();
  }
  const [one, other] = answers;
  expect([one?.status, other?.status].sort()).toEqual([202, 409]);
  const refused = [one, other].find((answer) => answer?.status === 409);
  expect(refused?.body['code']).toBe('webhook_resend_running');
  await until(() => receiver.received.length >= 1_200);
  expect(new Set(receiver.ids()).size).toBe(1_200);
  expect(receiver.received).toHaveLength(1_200);
});

test('the log is filtered by state and time, and pages', async () => {
  const id = await make({ url: receiver.url('/log') });
  const sent: string[] = [];
  for (let count = 0; count < 3; count += 1) sent.unshift(await announce(service.database, scope()));
  await until(async () => (await deliveryOf(service.database, id, sent[0] ?? ''))?.status === 'delivered');
  const list = async (query: Record<string, string>): Promise<string[]> => {
    const { body } = await client.get(`${PATH}/${id}/deliveries`, { query });
    return (body['data'] as { messageId: string }[]).map(({ messageId }) => messageId);
  };
  await until(async () => (await list({ status: 'delivered' })).length === 3);
  expect(await list({})).toEqual(sent);
  expect(await list({ status: 'failed' })).toEqual([]);
  expect(await list({ to: '2020-01-01T00:00:00Z' })).toEqual([]);
  const first = await client.get(`${PATH}/${id}/deliveries`, { query: { take: '2' } });
  expect(await list({ take: '2', cursor: String(first.body['nextCursor']) })).toEqual(sent.slice(2));
  expect(await client.get(`${PATH}/${id}/deliveries/msg_nothing`)).toMatchObject({
    status: 404,
    body: { code: 'webhook_delivery_not_found' },
  });
});
