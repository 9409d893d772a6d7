import { Webhook } from 'standardwebhooks';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { createLogger } from '../../src/telemetry/logger';
import { findDueEndpoints } from '../../src/webhook-deliveries/due-store';
import { logIn, type OperatorClient } from '../support/operator';
import { until } from '../support/until';
import { useService } from '../support/use-service';
import type { WorkspaceScope } from '../../src/tenancy/actor';
import { announce, deliveryOf, startDeliverer, type RunningDeliverer } from './rig';
import { Receiver } from './receiver';

let receiver: Receiver;
let client: OperatorClient;
let scope: WorkspaceScope;
const running: RunningDeliverer[] = [];
const service = useService({ webhookRules: { allowsLoopback: true } });
beforeEach(async () => {
  receiver = await Receiver.start();
  client = await logIn(service, { role: 'developer' });
  scope = { workspaceId: client.workspaceId, environment: 'sandbox' };
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((deliverer) => deliverer.stop()));
  await receiver.stop();
  service.clock.ahead = 0;
});

function deliver(options: Parameters<typeof startDeliverer>[1] = {}): RunningDeliverer {
  const deliverer = startDeliverer(service.database, { clock: service.clock, ...options });
  running.push(deliverer);
  return deliverer;
}

async function endpoint(url = receiver.url(), more: object = {}): Promise<{ id: string; secret: string }> {
  const { status, body } = await client.post('/api/webhook-endpoints', { body: { url, ...more } });
  expect(status).toBe(201);
  return { id: String(body['id']), secret: String(body['secret']) };
}

const isDelivered = async (endpointId: string, messageId: string): Promise<boolean> =>
  (await deliveryOf(service.database, endpointId, messageId))?.status === 'delivered';

/** Returns a clock that stands still, so that no delivery is retried before the test makes it due. */
function stoppedClock() {
  const clock = { time: Date.now(), now: () => clock.time };
  return clock;
}

/** Makes every delivery that waits for its next attempt due. */
const skipPause = (): Promise<unknown> =>
  service.database.query(
    "UPDATE tollgate.webhook_deliveries SET next_attempt_at = '2020-01-01' WHERE status = 'pending'",
  );

test('a message comes signed, as the published library verifies it', async () => {
  const { id, secret } = await endpoint();
  const messageId = await announce(service.database, scope);
  deliver();
  await until(() => isDelivered(id, messageId));
  const [got] = receiver.received;
  expect(receiver.received).toHaveLength(1);
  const verified = new Webhook(secret).verify(got?.body ?? '', got?.headers ?? {});
  expect(verified).toMatchObject({ id: messageId, type: 'subscription.changed', sequence: 1 });
  expect(got?.headers).toMatchObject({ 'webhook-id': messageId, 'content-type': 'application/json' });
  expect(() => new Webhook(secret).verify(`${got?.body ?? ''} `, got?.headers ?? {})).toThrow();
  const { body } = await client.get(`/api/webhook-endpoints/${id}/deliveries`);
  expect(body['data']).toEqual([
    expect.objectContaining({
      messageId,
      endpointId: id,
      status: 'delivered',
      attemptCount: 1,
      nextAttemptAt: null,
      attempts: [expect.objectContaining({ statusCode: 200, answer: 'ok', error: null })],
    }),
  ]);
});

test.each([
  ['together', undefined],
  ['one by one, where they cannot be together', () => Promise.reject(new Error('One of them fails.'))],
])('messages without a text are rendered %s, and sent as they are kept', async (_, renderMany) => {
  const { id } = await endpoint();
  const messages: string[] = [];
  for (let n = 0; n < 6; n += 1)
    messages.push(await announce(service.database, scope, { resource: `sub_none_${n}`, isRendered: false }));
  deliver(renderMany === undefined ? {} : { renderMany });
  for (const messageId of messages) await until(() => isDelivered(id, messageId));
  const kept = await service.database.query<{ payload: string }>(
    'SELECT payload FROM tollgate.webhook_messages WHERE id = ANY ($1)',
    [messages],
  );
  const sent = receiver.received.map(({ body }) => body);
  expect(sent.sort()).toEqual(kept.map(({ payload }) => payload).sort());
  expect(sent.map((body) => (JSON.parse(body) as { data: unknown }).data)).toEqual(messages.map(() => null));
});

test('types are chosen, and the other environment gets nothing', async () => {
  const all = await endpoint(receiver.url('/all'));
  const some = await endpoint(receiver.url('/some'), { types: ['subscription.cancelled'] });
  const cancelled = await announce(service.database, scope, { type: 'subscription.cancelled' });
  const changed = await announce(service.database, scope);
  await announce(service.database, { ...scope, environment: 'production' });
  deliver();
  await until(async () => (await isDelivered(all.id, changed)) && (await isDelivered(some.id, cancelled)));
  expect(receiver.ids('/all').sort()).toEqual([cancelled, changed].sort());
  expect(receiver.ids('/some')).toEqual([cancelled]);
});

test('a receiver that is down is tried again, with the same id and a new time', async () => {
  const { id, secret } = await endpoint();
  const messageId = await announce(service.database, scope);
  receiver.answer = (response) => {
    response.writeHead(500).end('\0down');
  };
  const clock = stoppedClock();
  deliver({ clock });
  await until(async () => (await deliveryOf(service.database, id, messageId))?.attempts === 1);
  expect((await client.get(`/api/webhook-endpoints/${id}`)).body['failingSince']).not.toBeNull();
  receiver.answer = (response) => {
    response.end();
  };
  clock.time += 10_000;
  await until(() => isDelivered(id, messageId));
  const [first, second] = receiver.received;
  expect(receiver.ids()).toEqual([messageId, messageId]);
  expect(second?.body).toBe(first?.body);
  expect(Number(second?.headers['webhook-timestamp'])).toBeGreaterThan(
    Number(first?.headers['webhook-timestamp']),
  );
  expect(new Webhook(secret).verify(second?.body ?? '', second?.headers ?? {})).toBeDefined();
  expect((await client.get(`/api/webhook-endpoints/${id}`)).body['failingSince']).toBeNull();
  const { body } = await client.get(`/api/webhook-endpoints/${id}/deliveries/${messageId}`);
  expect(body['attempts']).toMatchObject([{ statusCode: 200 }, { statusCode: 500, answer: '\uFFFDdown' }]);
});

test('a longer pause that the receiver asks for is kept', async () => {
  const { id } = await endpoint();
  receiver.answer = (response) => {
    response.writeHead(429, { 'retry-after': '3600' }).end();
  };
  const messageId = await announce(service.database, scope);
  deliver();
  await until(async () => (await deliveryOf(service.database, id, messageId))?.attempts === 1);
  const next = (await deliveryOf(service.database, id, messageId))?.next ?? 0;
  expect(next).toBeGreaterThanOrEqual(service.clock.now() + 3_500_000);
});

test('after ten attempts it has failed, and can be sent again by hand', async () => {
  const { id } = await endpoint();
  const messageId = await announce(service.database, scope);
  receiver.answer = (response) => {
    response.writeHead(500).end();
  };
  const clock = stoppedClock();
  deliver({ clock });
  for (let attempts = 1; attempts <= 10; attempts += 1) {
    await until(async () => ((await deliveryOf(service.database, id, messageId))?.attempts ?? 0) >= attempts);
    await skipPause();
  }
  expect(await deliveryOf(service.database, id, messageId)).toEqual({
    status: 'failed',
    attempts: 10,
    next: null,
  });
  receiver.answer = (response) => {
    response.end();
  };
  const path = `/api/webhook-endpoints/${id}/deliveries/${messageId}`;
  expect(await client.post(`${path}/resend`)).toMatchObject({ status: 200, body: { status: 'pending' } });
  clock.time = Date.now();
  await until(() => isDelivered(id, messageId));
  expect(new Set(receiver.ids())).toEqual(new Set([messageId]));
  expect(receiver.received).toHaveLength(11);
});

test('during a roll both secrets verify, and afterwards only the new one', async () => {
  const { id, secret: old } = await endpoint();
  const rolled = await client.post(`/api/webhook-endpoints/${id}/roll`, { body: { overlapHours: 2 } });
  const fresh = String(rolled.body['secret']);
  expect(rolled.body['previousSecretUntil']).toEqual(expect.any(String));
  deliver();
  const verifies = (secret: string, index: number): boolean => {
    const got = receiver.received[index];
    // The published library checks timestamps against real time.
    const real = { ...got?.headers };
    try {
      new Webhook(secret).verify(got?.body ?? '', real);
      return true;
    } catch {
      return false;
    }
  };
  await announce(service.database, scope);
  await until(() => receiver.received.length === 1);
  expect([verifies(old, 0), verifies(fresh, 0)]).toEqual([true, true]);
  await service.database.query(
    "UPDATE tollgate.webhook_endpoints SET previous_secret_until = '2020-01-01' WHERE id = $1",
    [id],
  );
  await announce(service.database, scope);
  await until(() => receiver.received.length === 2);
  expect([verifies(old, 1), verifies(fresh, 1)]).toEqual([false, true]);
});

test('rolled again during an overlap, each secret of before verifies until its own time, four at most', async () => {
  const { id, secret } = await endpoint();
  const secrets = [secret];
  const roll = async (overlapHours: number) => {
    const { body } = await client.post(`/api/webhook-endpoints/${id}/roll`, { body: { overlapHours } });
    secrets.push(String(body['secret']));
  };
  deliver();
  const verifying = async (): Promise<boolean[]> => {
    const before = receiver.received.length;
    await announce(service.database, scope);
    await until(() => receiver.received.length === before + 1);
    const { body = '', headers = {} } = receiver.received[before] ?? {};
    return secrets.map((secret) => {
      try {
        return new Webhook(secret).verify(body, headers) !== undefined;
      } catch {
        return false;
      }
    });
  };
  // The answer to the first roll is lost: the receiver still has the first secret.
  await roll(24);
  await roll(1);
  expect(await verifying()).toEqual([true, true, true]);
  for (let again = 0; again < 3; again += 1) await roll(24);
  expect(await verifying()).toEqual([false, true, true, true, true, true]);
  await roll(0);
  expect(await verifying()).toEqual([false, false, false, false, false, false, true]);
});

test('a week of failures disables an endpoint, and the others are notified', async () => {
  const dead = await endpoint(receiver.url('/dead'), { types: ['subscription.changed'] });
  const other = await endpoint(receiver.url('/other'), { types: ['webhook_endpoint.disabled'] });
  receiver.answer = (response, request) => {
    response.writeHead(request.url === '/dead' ? 500 : 200).end();
  };
  const early = await announce(service.database, scope);
  deliver();
  await until(async () => ((await deliveryOf(service.database, dead.id, early))?.attempts ?? 0) > 0);
  service.clock.ahead = 7 * DAY_MS + 60_000;
  await until(async () => (await deliveryOf(service.database, dead.id, early))?.status === 'cancelled');
  // The message about it is due by that time.
  await until(() => receiver.ids('/other').length === 1);
  // Reset, because the operator's session would have expired by then.
  service.clock.ahead = 0;
  expect((await client.get(`/api/webhook-endpoints/${dead.id}`)).body).toMatchObject({
    enabled: false,
    disabledReason: 'failing',
  });
  const message = JSON.parse(receiver.received.find(({ path }) => path === '/other')?.body ?? '') as unknown;
  expect(message).toMatchObject({
    type: 'webhook_endpoint.disabled',
    sequence: 1,
    resource: { type: 'webhook_endpoint', id: dead.id },
    data: { id: dead.id, enabled: false, disabledReason: 'failing' },
  });
  expect(JSON.stringify(message)).not.toContain('whsec_');
  const events = await service.database.query(
    "SELECT status, data FROM tollgate.developer_events WHERE workspace_id = $1 AND type = 'WEBHOOK_ENDPOINT_DISABLED'",
    [scope.workspaceId],
  );
  expect(events).toMatchObject([
    { status: 'ERROR', data: { webhookEndpointId: dead.id, reason: 'failing' } },
  ]);
  expect(other.id).not.toBe(dead.id);
});

test('a success that is written after a failure was ends the week that it began', async () => {
  const { id } = await endpoint();
  const [poison, slow] = [await announce(service.database, scope), await announce(service.database, scope)];
  const held: (() => void)[] = [];
  receiver.answer = (response, request) => {
    if (request.headers['webhook-id'] === poison) response.writeHead(500).end();
    else held.push(() => response.end('ok'));
  };
  const failingSince = async (): Promise<unknown> =>
    (await client.get(`/api/webhook-endpoints/${id}`)).body['failingSince'];
  deliver({ clock: stoppedClock(), attemptMs: 600_000 });
  // Both were leased before anything had failed.
  await until(async () => held.length === 1 && (await failingSince()) !== null);
  for (const answer of held) answer();
  await until(() => isDelivered(id, slow));
  expect(await failingSince()).toBeNull();
});

test('410 disables at once', async () => {
  const { id } = await endpoint();
  receiver.answer = (response) => {
    response.writeHead(410).end();
  };
  const messageId = await announce(service.database, scope);
  deliver();
  await until(async () => (await deliveryOf(service.database, id, messageId))?.status === 'failed');
  expect((await client.get(`/api/webhook-endpoints/${id}`)).body).toMatchObject({
    enabled: false,
    disabledReason: 'gone',
  });
});

test('410 from a former address disables nothing, and the message comes to the new one', async () => {
  const { id } = await endpoint(receiver.url('/former'));
  receiver.answer = (response, request) => {
    if (request.url !== '/former') {
      response.end();
      return;
    }
    const moved = client.patch(`/api/webhook-endpoints/${id}`, { body: { url: receiver.url('/new') } });
    void moved.then(() => response.writeHead(410).end());
  };
  const messageId = await announce(service.database, scope);
  deliver({ clock: stoppedClock() });
  await until(async () => (await deliveryOf(service.database, id, messageId))?.attempts === 1);
  expect(await deliveryOf(service.database, id, messageId)).toMatchObject({ status: 'pending' });
  await skipPause();
  await until(() => isDelivered(id, messageId));
  expect(receiver.received.map(({ path }) => path)).toEqual(['/former', '/new']);
  expect((await client.get(`/api/webhook-endpoints/${id}`)).body).toMatchObject({ enabled: true });
});

test('the pending deliveries of a disabled endpoint are cancelled, and do not hold up others', async () => {
  const [disabled, living] = [await endpoint(), await endpoint(receiver.url('/living'))];
  const messageId = await announce(service.database, scope);
  await client.patch(`/api/webhook-endpoints/${disabled.id}`, { body: { enabled: false } });
  // Cancellations have to wait; deliveries do not.
  await service.database.query(
    `CREATE FUNCTION public.wait_to_cancel() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NEW; END $$`,
  );
  await service.database.query(
    `CREATE TRIGGER wait_to_cancel BEFORE UPDATE ON tollgate.webhook_deliveries FOR EACH ROW
       WHEN (NEW.status = 'cancelled') EXECUTE FUNCTION public.wait_to_cancel()`,
  );
  await service.database.query('SELECT pg_advisory_lock(4711)');
  try {
    deliver();
    await until(() => isDelivered(living.id, messageId));
    await until(async () => {
      const [waiting] = await service.database.query(
        "SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted",
      );
      return waiting !== undefined;
    });
    const next = await announce(service.database, scope);
    await until(() => isDelivered(living.id, next));
    expect(await deliveryOf(service.database, disabled.id, messageId)).toMatchObject({ status: 'pending' });
  } finally {
    await service.database.query('SELECT pg_advisory_unlock(4711)');
    await service.database.query('DROP FUNCTION public.wait_to_cancel() CASCADE');
  }
  await until(
    async () => (await deliveryOf(service.database, disabled.id, messageId))?.status === 'cancelled',
  );
});

test('two deliverers send each message once', async () => {
  const { id } = await endpoint();
  const other = await endpoint(receiver.url('/other'));
  const sent: string[] = [];
  for (let count = 0; count < 60; count += 1)
    sent.push(await announce(service.database, scope, { resource: `sub_${count}` }));
  deliver();
  deliver();
  await until(() => receiver.received.length >= 120);
  await until(
    async () =>
      (await isDelivered(id, sent.at(-1) ?? '')) && (await isDelivered(other.id, sent.at(-1) ?? '')),
  );
  expect(receiver.ids('/hook').sort()).toEqual([...sent].sort());
  expect(receiver.ids('/other').sort()).toEqual([...sent].sort());
});

test('endpoints that never answer do not hold up others', async () => {
  const silent = await Receiver.start();
  silent.answer = () => undefined;
  for (let count = 0; count < 20; count += 1) await endpoint(silent.url(`/${count}`));
  const { id } = await endpoint();
  // More messages than slots: twenty dead endpoints with ten messages each, and fifty slots.
  const sent: string[] = [];
  for (let count = 0; count < 10; count += 1)
    sent.push(await announce(service.database, scope, { resource: `sub_${count}` }));
  // An attempt at a dead endpoint would take longer than this test may.
  deliver({ attemptMs: HOUR_MS, total: 100 });
  const lives = await logIn(service, { role: 'developer' });
  const made = await lives.post('/api/webhook-endpoints', { body: { url: receiver.url('/living') } });
  expect(made.status).toBe(201);
  const mine = await announce(service.database, { ...scope, workspaceId: lives.workspaceId });
  await until(() => isDelivered(String(made.body['id']), mine));
  await until(() => silent.received.length > 0);
  expect(id).toEqual(expect.any(String));
  await silent.stop();
  await until(() => isDelivered(id, sent.at(-1) ?? ''));
});

test('tenants whose deliveries cannot be claimed, nor cancelled, do not hold up others', async () => {
  const broken: string[] = [];
  const tenant = async () => {
    const operator = await logIn(service, { role: 'developer' });
    const made = await operator.post('/api/webhook-endpoints', { body: { url: receiver.url() } });
    const messageId = await announce(service.database, { ...scope, workspaceId: operator.workspaceId });
    const id = String(made.body['id']);
    return {
      id,
      messageId,
      workspaceId: operator.workspaceId,
      disable: () => operator.patch(`/api/webhook-endpoints/${id}`, { body: { enabled: false } }),
    };
  };
  // As many as are claimed at a time, and one whose turn comes before those that work.
  for (let count = 0; count < 3; count += 1) broken.push((await tenant()).workspaceId);
  const off = await tenant();
  await off.disable();
  broken.push(off.workspaceId);
  const [living, cancelled] = [await tenant(), await tenant()];
  await cancelled.disable();
  await service.database.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$;
    CREATE TRIGGER broken BEFORE UPDATE ON tollgate.webhook_deliveries FOR EACH ROW
      WHEN (OLD.workspace_id IN (${broken.map((id) => `'${id}'`).join()})) EXECUTE FUNCTION refuse()`);
  try {
    deliver({ log: createLogger('test', 'silent') });
    await until(() => isDelivered(living.id, living.messageId));
    await until(
      async () =>
        (await deliveryOf(service.database, cancelled.id, cancelled.messageId))?.status === 'cancelled',
    );
  } finally {
    await service.database.query(
      'DROP TRIGGER broken ON tollgate.webhook_deliveries; DROP FUNCTION refuse()',
    );
  }
});

test('endpoints that all wait for a later attempt hide none of those after them', async () => {
  const ids = [(await endpoint()).id, (await endpoint()).id, (await endpoint()).id].sort();
  await announce(service.database, scope);
  await service.database.query(
    `UPDATE tollgate.webhook_deliveries SET next_attempt_at = '2100-01-01' WHERE endpoint_id = ANY ($1)`,
    [ids.slice(0, 2)],
  );
  const database = service.open('tollgate_deliverer', 1);
  const found: string[] = [];
  let after = '';
  do {
    const page = await findDueEndpoints(database, { at: service.clock.now(), after, limit: 1 });
    found.push(...page.endpoints.map(({ endpointId }) => endpointId));
    after = page.next;
  } while (after !== '');
  expect(found.filter((id) => ids.includes(id))).toEqual(ids.slice(2));
});

test('an answer to what was erased meanwhile is not kept', async () => {
  const { id } = await endpoint();
  const [kept, erased] = [await announce(service.database, scope), await announce(service.database, scope)];
  receiver.answer = (response, request) => {
    const isErased = request.headers['webhook-id'] === erased;
    const blank = 'UPDATE tollgate.webhook_messages SET payload = NULL WHERE id = $1 AND $2';
    void service.database.query(blank, [erased, isErased]).then(() => response.end('Dear Ada'));
  };
  deliver();
  await until(async () => (await isDelivered(id, kept)) && (await isDelivered(id, erased)));
  const answerTo = async (messageId: string) =>
    (await client.get(`/api/webhook-endpoints/${id}/deliveries/${messageId}`)).body['attempts'];
  expect(await answerTo(kept)).toMatchObject([{ statusCode: 200, answer: 'Dear Ada' }]);
  expect(await answerTo(erased)).toMatchObject([{ statusCode: 200, answer: null }]);
});

test('deliveries that a killed process had taken are sent by another once its lease has ended', async () => {
  const { id } = await endpoint();
  const clock = stoppedClock();
  const messageId = await announce(service.database, scope, { at: clock.time });
  // Leases the delivery and is never heard of again.
  let taken = false;
  const never = new Promise<never>(() => undefined);
  const dead = startDeliverer(service.database, {
    clock,
    send: () => {
      taken = true;
      return never;
    },
  });
  await until(() => taken);
  await dead.abandon();
  deliver({ clock });
  const next = await announce(service.database, scope, { at: clock.time });
  await until(() => isDelivered(id, next));
  expect(receiver.ids()).not.toContain(messageId);
  clock.time += 31_000;
  await until(() => isDelivered(id, messageId));
  expect(receiver.ids().filter((one) => one === messageId)).toHaveLength(1);
});

test('an outage of Postgres is logged when it begins, and not at each attempt', async () => {
  const levels: string[] = [];
  const log = createLogger('deliver', 'debug', {
    write: (line: string) => {
      const { level, msg } = JSON.parse(line) as { level: string; msg: string };
      if (msg.startsWith('the delivery of webhooks failed')) levels.push(level);
    },
  });
  // Nothing listens on port 1.
  const unreachable = {
    ...service.database,
    url: () => 'postgres://tollgate_deliverer:secret@127.0.0.1:1/tollgate',
  };
  running.push(startDeliverer(unreachable, { log }));
  await until(() => levels.length >= 6);
  // Once for the deliveries, and once for what is sent again by hand.
  expect(levels.filter((level) => level === 'error')).toHaveLength(2);
});
