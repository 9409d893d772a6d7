import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import { queueResends } from '../../src/webhook-deliveries/resend-batches';
import { logIn, type OperatorClient } from '../support/operator';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { announce, deliveryOf, startEndpointRig } from './rig';

/** Rounds of the deliverer that queue the messages of resends. */
const rig = useStarted(startEndpointRig);

/** Starts a resend, and waits until a round may begin it: what was being written meanwhile, in any database, is written. */
async function start(
  client: OperatorClient,
  endpointId: string,
  since = Date.now() - HOUR_MS,
): Promise<() => Promise<unknown>> {
  const path = `/api/webhook-endpoints/${endpointId}/resends`;
  const headers = { 'Idempotency-Key': randomUUID() };
  const { body } = await client.post(path, {
    headers,
    body: { since: new Date(since).toISOString(), undeliveredOnly: true },
  });
  const [asked] = await rig.service.database.query<{ id: string }>(
    'SELECT CAST(pg_current_xact_id() AS text) AS id',
  );
  await until(async () => {
    const later = await rig.service.database.query(
      'SELECT WHERE pg_snapshot_xmin(pg_current_snapshot()) > CAST($1 AS xid8)',
      [asked?.id],
    );
    return later.length > 0;
  });
  return async () => {
    const { resent, endedAt } = (await client.get(`${path}/${String(body['id'])}`)).body;
    return { resent, isEnded: endedAt !== null };
  };
}

test('of many messages of which few are sent, a round reads only a part', async () => {
  const { client, database, scope, service } = rig;
  const id = await rig.endpoint('http://127.0.0.1:9999/many');
  await service.database.query(
    `WITH many AS (
       INSERT INTO tollgate.webhook_messages
         (workspace_id, environment, id, type, resource_kind, resource_id, sequence, happened_at, created_at)
       SELECT $1, 'sandbox', 'msg_' || lpad(n::text, 6, '0'), 'credits.low', 'customer', 'cus_1', n, now(),
              now() - interval '1 day' + (n / 3) * interval '1 microsecond'
         FROM generate_series(1, 10500) n
       RETURNING id, created_at)
     INSERT INTO tollgate.webhook_deliveries
       (workspace_id, environment, endpoint_id, message_id, status, attempts, created_at, ended_at)
     SELECT $1, 'sandbox', $2, id, CASE id WHEN 'msg_010400' THEN 'failed' ELSE 'delivered' END, 1, created_at, created_at
       FROM many`,
    [scope.workspaceId, id],
  );
  const progress = await start(client, id, Date.now() - 2 * DAY_MS);
  await queueResends(database, service.clock);
  expect(await progress()).toEqual({ resent: 0, isEnded: false });
  await queueResends(database, service.clock);
  expect(await progress()).toEqual({ resent: 1, isEnded: true });
  expect(await deliveryOf(service.database, id, 'msg_010400')).toMatchObject({
    status: 'pending',
    attempts: 0,
  });
});

test('what waits for a retry is sent now, and what is being sent is left to it', async () => {
  const { client, database, scope, service } = rig;
  const id = await rig.endpoint('http://127.0.0.1:9999/down');
  const [waiting, underWay, ofFastClock] = [
    await announce(service.database, scope),
    await announce(service.database, scope),
    await announce(service.database, scope),
  ];
  const progress = await start(client, id);
  const now = service.clock.now();
  const due = (messageId: string, at: number) =>
    service.database.query(
      'UPDATE tollgate.webhook_deliveries SET attempts = 7, next_attempt_at = $3 WHERE endpoint_id = $1 AND message_id = $2',
      [id, messageId, new Date(at)],
    );
  await due(waiting, now + 14 * HOUR_MS);
  await due(underWay, now + 25_000);
  // Leased by a process whose clock is ahead of this one's.
  await due(ofFastClock, now + 35_000);
  await queueResends(database, { now: () => now });
  expect(await progress()).toEqual({ resent: 1, isEnded: true });
  expect(await deliveryOf(service.database, id, waiting)).toEqual({
    status: 'pending',
    attempts: 0,
    next: now,
  });
  expect(await deliveryOf(service.database, id, underWay)).toMatchObject({ attempts: 7, next: now + 25_000 });
  expect(await deliveryOf(service.database, id, ofFastClock)).toMatchObject({
    attempts: 7,
    next: now + 35_000,
  });
});

test('what was leased while a resend waited for its endpoint is left to it', async () => {
  const { client, database, scope, service } = rig;
  const id = await rig.endpoint('http://127.0.0.1:9999/locked');
  const messageId = await announce(service.database, scope);
  const progress = await start(client, id);
  let now = service.clock.now();
  const holder = new Client({ connectionString: service.database.adminUrl });
  await holder.connect();
  let queued: Promise<void>;
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM tollgate.webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE', [id]);
    queued = queueResends(database, { now: () => now });
    await until(async () => {
      const waiting = await service.database.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%webhook_endpoints%'",
      );
      return waiting.length > 0;
    });
    now += 10 * MINUTE_MS;
    await service.database.query(
      'UPDATE tollgate.webhook_deliveries SET attempts = 7, next_attempt_at = $2 WHERE message_id = $1',
      [messageId, new Date(now + 25_000)],
    );
  } finally {
    await holder.end();
  }
  await queued;
  expect(await progress()).toMatchObject({ isEnded: true });
  expect(await deliveryOf(service.database, id, messageId)).toMatchObject({
    attempts: 7,
    next: now + 25_000,
  });
});

test('the resends of one organization, which fail, do not hold up those of others after them', async () => {
  const { client, database, scope, service } = rig;
  const others = await logIn(service, { role: 'developer' });
  const broken: (() => Promise<unknown>)[] = [];
  for (let count = 0; count < 25; count += 1) {
    const made = await others.post('/api/webhook-endpoints', {
      body: { url: 'http://127.0.0.1:9999/broken' },
    });
    broken.push(await start(others, String(made.body['id'])));
  }
  const id = await rig.endpoint('http://127.0.0.1:9999/hook');
  const messageId = await announce(service.database, scope);
  await service.database.query(
    "UPDATE tollgate.webhook_deliveries SET status = 'failed', next_attempt_at = NULL, ended_at = now() WHERE endpoint_id = $1",
    [id],
  );
  const works = await start(client, id);
  await service.database.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$;
    CREATE TRIGGER broken BEFORE UPDATE ON tollgate.webhook_resends FOR EACH ROW
      WHEN (OLD.workspace_id = '${others.workspaceId}') EXECUTE FUNCTION refuse()`);
  await expect(queueResends(database, service.clock)).rejects.toThrow('broken');
  expect(await broken[0]?.()).toEqual({ resent: 0, isEnded: false });
  expect(await works()).toMatchObject({ isEnded: true });
  expect(await deliveryOf(service.database, id, messageId)).toMatchObject({ status: 'pending' });
});

test('a round ends when the process stops', async () => {
  const { client, database, service } = rig;
  const progress = await start(client, await rig.endpoint('http://127.0.0.1:9999/stopped'));
  await queueResends(database, service.clock, AbortSignal.abort());
  expect(await progress()).toEqual({ resent: 0, isEnded: false });
});
