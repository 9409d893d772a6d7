import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { customerLock } from '../../src/db/advisory-locks';
import { DAY_MS } from '../../src/domain/instant';
import type { WebhookType } from '../../src/domain/webhook-types';
import { payloadSchemaOf } from '../../src/webhook-messages/message-schema';
import { idOf } from '../catalog/offer';
import { Integrator } from '../support/integrator';
import { untilLockWaits } from '../support/lock-waits';
import { logIn } from '../support/operator';
import { createKey } from '../support/workspace';
import { useProviderWorld } from '../support/use-provider-world';
import { Erasing, tablesNaming } from './erasing';

/** A customer with data of every kind, and what remains of it. */
const world = useProviderWorld();
let erasing: Erasing;
let api: Integrator;
beforeAll(async () => {
  erasing = new Erasing(world.service);
  const { service, scope } = world;
  api = new Integrator(
    service.urls.sandbox,
    await createKey(service.database, scope, ['read', 'usage', 'customers', 'billing', 'events']),
  );
});

const NAME = 'Jane Quixote-Zwölf';
const STREET = 'Elmstreet 77b';
const key = (value: string = randomUUID()) => ({ 'Idempotency-Key': value });

const text = (answer: { body: Record<string, unknown> }, member: string): string => {
  const { [member]: value } = answer.body;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Returns the records that the accountant reads. */
async function books(): Promise<unknown> {
  const { database } = world.service;
  const of = (table: string, columns: string) =>
    database.query(`SELECT ${columns} FROM tollgate.${table} ORDER BY id`);
  return {
    payments: await of('payments', 'id, customer_id, status, amount, applied_amount, currency, received_at'),
    refunds: await of('refunds', 'id, payment_id, status, amount, completed_at'),
    transactions: await of('subscription_transactions', '*'),
    usage: await of('usage_events', 'id, customer_id, feature_id, quantity, deductions::text, recorded_at'),
    counters: await database.query(
      'SELECT * FROM tollgate.usage_counters ORDER BY customer_id, period_start',
    ),
    credits: await of('credit_grants', 'id, customer_id, amount, remaining, expires_at'),
  };
}

async function withEverything(): Promise<{ id: string; externalId: string; email: string }> {
  const { operator, service } = world;
  const { id: atProvider, externalId, email } = await world.subscribe('provider_a');
  const changed = await api.send('PATCH', `/v1/customers/${externalId}`, {
    name: NAME,
    metadata: { address: STREET, country: 'DE' },
    usageAlertPercents: [1],
  });
  const id = text(changed, 'id');
  await operator.post(`/api/customers/${id}/credits`, {
    body: { amount: 50, reason: `for ${NAME}` },
    headers: key(`${email}:credits`),
  });
  for (const name of [`${externalId}:1`, 'two']) {
    const extra = { source: `${STREET} laptop`, entity: `Device of ${NAME}` };
    const tracked = await api.track(externalId, 'api_calls', 30, name, extra);
    expect(tracked.status).toBe(200);
  }
  const extra = { source: 'web', properties: { caller: NAME } };
  const mistaken = await api.track(externalId, 'api_calls', 2, `${externalId}:3`, extra);
  const back = await api.send(
    'POST',
    `/v1/usage/events/${text(mistaken, 'eventId')}/reverse`,
    { reason: `${NAME} called from ${STREET}` },
    key(`${externalId}:back`),
  );
  expect(back.status).toBe(201);
  await api.check(externalId, 'api_calls');
  const held = { externalId, feature: 'api_calls', quantity: 1, entity: `Tablet of ${NAME}` };
  await api.send('POST', '/v1/usage/check', { ...held, reserve: { expiresInSeconds: 60 } });
  await api.track(externalId, 'api_calls', 99_999);
  await world.change(atProvider, { seats: 2 }, `${externalId}:seats`);
  await world.settle();
  await world.command(atProvider, 'cancel', {}, `${externalId}:cancels`);
  await world.settle();
  await world.advanceBy(40 * DAY_MS);
  await world.advanceBy(DAY_MS);
  expect((await world.show(atProvider)).status).toBe('cancelled');

  const here = await operator.post('/api/billing/subscriptions', {
    body: { externalId, planSlug: 'starter', metadata: { seatOf: NAME } },
    headers: key(`${externalId}:here`),
  });
  const subscriptionId = idOf(here);
  await api.track(externalId, 'api_calls', 5);
  const transactions = await operator.get('/api/billing/transactions', { query: { subscriptionId } });
  const [transaction] = transactions.body['data'] as { id: string }[];
  const paid = await operator.post('/api/billing/payments', {
    body: {
      transactionId: transaction?.id,
      amount: { amount: '1000', currency: 'USD' },
      reference: `Transfer by ${NAME.toUpperCase()}`,
    },
    headers: key(),
  });
  const payment = await operator.get('/api/billing/payments', { query: { subscriptionId } });
  const [{ id: paymentId } = { id: '' }] = payment.body['data'] as { id: string }[];
  expect([paid.status, paymentId === '']).toEqual([201, false]);
  const refund = await operator.post('/api/billing/refunds', {
    body: { paymentId, amount: { amount: '250', currency: 'USD' }, reason: `${NAME} complained` },
    headers: key(),
  });
  expect(refund.status).toBe(201);
  const once = await operator.post('/api/billing/checkouts', {
    body: {
      externalId,
      amount: { amount: '700', currency: 'USD' },
      description: `A visit at ${STREET}`,
      metadata: { who: email },
      successUrl: `https://shop.example/?who=${encodeURIComponent(email)}`,
    },
    headers: key(),
  });
  expect(once.status).toBe(201);
  expect((await operator.post(`/api/billing/checkouts/${text(once, 'id')}/expire`)).status).toBe(200);
  await world.command(subscriptionId, 'cancel');
  await world.advanceBy(40 * DAY_MS);
  await service.direct.catchUp(world.scope, subscriptionId);
  expect((await world.show(subscriptionId)).status).toBe('cancelled');
  // A webhook that names nothing known changes nothing.
  await service.database.query(
    `INSERT INTO tollgate.webhook_events (workspace_id, environment, id, connection_id, provider, event_type, dedupe_key,
            status, body, headers, received_at)
     VALUES ($1, 'sandbox', 'whk_unmatched', $2, 'provider_a', 'customer.updated', 'unmatched', 'unmatched', $3, '{}', now())`,
    [world.scope.workspaceId, world.connections.provider_a, Buffer.from(JSON.stringify({ email }))],
  );
  return { id, externalId, email };
}

/** Records a message about the customer to an endpoint whose answer quotes it. */
async function quoteOneOf(customerId: string, email: string): Promise<void> {
  const { workspaceId } = world.scope;
  await world.service.database.query(
    `WITH endpoint AS (
       INSERT INTO tollgate.webhook_endpoints (workspace_id, environment, id, url, secret_envelope, created_at, updated_at)
       VALUES ($1, 'sandbox', 'we_quoting', 'https://quoting.example', '{"keyId":"k","revision":1,"sealed":""}', now(), now())),
     delivery AS (
       INSERT INTO tollgate.webhook_deliveries
              (workspace_id, environment, endpoint_id, message_id, status, created_at, ended_at)
       SELECT workspace_id, environment, 'we_quoting', id, 'delivered', now(), now() FROM tollgate.webhook_messages
        WHERE workspace_id = $1 AND resource_id = $2 LIMIT 1
       RETURNING message_id)
     INSERT INTO tollgate.webhook_attempts
            (workspace_id, environment, id, endpoint_id, message_id, attempted_at, duration_ms, answer)
     SELECT $1, 'sandbox', 'wa_quoting', 'we_quoting', message_id, now(), 1, $3 FROM delivery`,
    [workspaceId, customerId, `Hello ${email}`],
  );
}

test('a customer that has had everything: nothing names it any more, and the books are the same', async () => {
  const { service, operator } = world;
  const stranger = await world.subscribe('provider_a');
  const { id, externalId, email } = await withEverything();
  const needles = [externalId, email, NAME, 'Quixote', STREET];
  // Renders the messages to endpoints.
  const messages = async () => (await api.send('GET', '/v1/webhook-messages?take=200')).body['data'];
  await messages();
  await quoteOneOf(id, email);
  // Each of these tables would keep the data: the sweep finds it there.
  expect(await tablesNaming(service.database, needles)).toEqual(
    expect.arrayContaining([
      ...['audit_records', 'checkouts', 'credit_grants', 'customers', 'developer_events'],
      ...[
        'idempotency_answers',
        'operations',
        'payments',
        'refunds',
        'subscription_history',
        'subscriptions',
      ],
      ...['usage_events', 'usage_reversals', 'webhook_attempts', 'webhook_events', 'webhook_messages'],
    ]),
  );
  const before = await books();
  const others = await tablesNaming(service.database, [stranger.externalId]);
  const events = await operator.get('/api/developer-events', { query: { customerId: id, take: '200' } });
  const alerts = (events.body['data'] as { type: string; data: object }[]).filter(
    ({ type }) => type === 'USAGE_THRESHOLD_REACHED',
  );
  expect(alerts).not.toEqual([]);
  const decisionId = (events.body['data'] as { data: { decisionId?: string } }[])
    .map(({ data }) => data.decisionId)
    .find((decision) => decision !== undefined);

  const erasure = await api.send('DELETE', `/v1/customers/${externalId}`);
  expect(erasure.status).toBe(202);
  const erasureId = text(erasure, 'id');
  expect(erasure.headers.get('location')).toBe(`/v1/customer-erasures/${erasureId}`);
  expect(erasure.body).toMatchObject({
    customerId: id,
    status: 'running',
    completedAt: null,
    pseudonym: `erased_${id}`,
  });
  // Immediately, before anything else is blanked.
  expect(await tablesNaming(service.database, [NAME, email])).not.toContain('customers');
  expect((await api.send('GET', `/v1/customers/${externalId}`)).body['code']).toBe('customer_not_found');
  const again = await operator.delete(`/api/customers/${id}`);
  expect([again.status, again.body]).toEqual([202, erasure.body]);
  expect(again.headers.get('location')).toBe(`/api/customer-erasures/${erasureId}`);

  await erasing.finish(world.scope, erasureId);
  expect(await tablesNaming(service.database, needles)).toEqual([]);
  expect(await books()).toEqual(before);
  // A message sent again contains only what remains.
  const left = (await messages()) as { type: WebhookType; payload: object }[];
  for (const { type, payload } of left) expect(() => payloadSchemaOf(type).parse(payload)).not.toThrow();
  const sentAgain = JSON.stringify(left);
  expect(sentAgain).toContain(`erased_${id}`);
  expect(needles.filter((needle) => sentAgain.includes(needle))).toEqual([]);
  expect(await tablesNaming(service.database, needles)).toEqual([]);
  expect(await tablesNaming(service.database, [stranger.externalId])).toEqual(others);

  const done = await api.send('GET', `/v1/customer-erasures/${erasureId}`);
  expect(done.body).toMatchObject({ status: 'complete', completedAt: expect.any(String) as string });
  expect(done.body['blanked']).toMatchObject({
    usage: 4,
    usageReversals: 1,
    payments: 1,
    refunds: 1,
    credits: 1,
    subscriptions: 2,
    checkouts: 2,
  });
  const holding = (
    done.body['providersHoldingData'] as { connectionId: string; references: { kind: string }[] }[]
  )[0];
  expect(holding).toMatchObject({ connectionId: world.connections.provider_a, provider: 'provider_a' });
  expect(holding?.references.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['customer', 'subscription']),
  );
  // The former external id, the pseudonym and the customer's own id give the same answer.
  for (const name of [externalId, `erased_${id}`]) {
    const repeated = await api.send('DELETE', `/v1/customers/${name}`);
    expect([repeated.status, repeated.body]).toEqual([200, done.body]);
  }

  // Reads show a blanked row as such.
  const read = await operator.get(`/api/customers/${id}`);
  expect(read.body).toMatchObject({
    externalId: `erased_${id}`,
    name: null,
    email: null,
    metadata: {},
    erasureId,
  });
  const decision = await operator.get(`/api/decisions/${decisionId ?? ''}`);
  expect(decision.body).toMatchObject({
    externalId: `erased_${id}`,
    message: 'Erased.',
    feature: 'api_calls',
  });
  const listed = await operator.get('/api/developer-events', {
    query: { customerId: id, eventType: 'USAGE_THRESHOLD_REACHED' },
  });
  // Its figures remain: they still show what was notified.
  expect(listed.body['data']).toMatchObject(
    alerts.map(({ data }) => ({
      message: 'Erased.',
      data: { ...data, externalId: `erased_${id}` },
    })),
  );
  const records = (await operator.get('/api/audit', { query: { take: '200' } })).body['data'] as {
    target: string | null;
  }[];
  expect(records.filter(({ target }) => target === id)).toMatchObject([
    { action: 'customer.erased', detail: { erasureId } },
    { action: 'customer.updated', detail: {} },
  ]);
  const webhooks = (await operator.get('/api/webhooks', { query: { take: '200' } })).body['data'] as {
    id: string;
    erasedAt: string | null;
  }[];
  const erased = webhooks.filter(({ erasedAt }) => erasedAt !== null);
  expect(erased.length).toBeGreaterThan(3);
  expect(erased.length).toBeLessThan(webhooks.length);
  const replayed = await operator.post(`/api/webhooks/${erased[0]?.id ?? ''}/replay`);
  expect([replayed.status, replayed.body['code']]).toEqual([409, 'webhook_not_replayable']);
  for (const path of ['/api/billing/payments', '/api/billing/checkouts', '/api/billing/subscriptions']) {
    expect((await operator.get(path)).status).toBe(200);
  }
});

test('no other customer takes the pseudonym that an erasure will need', async () => {
  const externalId = `named-${randomUUID()}`;
  const { body } = await api.send('PUT', `/v1/customers/${externalId}`, { name: NAME });
  const pseudonym = `erased_${String(body['id'])}`;
  const put = await api.send('PUT', `/v1/customers/${pseudonym}`, {});
  expect([put.status, put.body['errors']]).toMatchObject([400, [{ pointer: '/path/externalId' }]]);
  const created = await world.operator.post('/api/customers', { body: { externalId: pseudonym } });
  expect([created.status, created.body['errors']]).toMatchObject([400, [{ pointer: '/externalId' }]]);
  // Other names that begin like it are free.
  expect((await api.send('PUT', `/v1/customers/erased_${randomUUID()}`, {})).status).toBe(201);
  expect((await api.send('DELETE', `/v1/customers/${externalId}`)).status).toBe(202);
});

test('a reversal that waits while its customer is erased is refused', async () => {
  const { service } = world;
  const externalId = `waited-${randomUUID()}`;
  await api.send('PUT', `/v1/customers/${externalId}`, { name: NAME });
  const subscriptionId = idOf(
    await world.operator.post('/api/billing/subscriptions', {
      body: { externalId, planSlug: 'starter' },
      headers: key(),
    }),
  );
  const tracked = await api.track(externalId, 'api_calls', 1);
  expect(tracked.status).toBe(200);
  await world.operator.post(`/api/billing/subscriptions/${subscriptionId}/cancel`, { headers: key() });
  const holder = new Client({ connectionString: service.database.adminUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(`SELECT pg_advisory_xact_lock(${customerLock('$1::text', "'sandbox'", '$2::text')})`, [
      world.scope.workspaceId,
      externalId,
    ]);
    const erased = api.send('DELETE', `/v1/customers/${externalId}`);
    await untilLockWaits(service.database);
    const path = `/v1/usage/events/${text(tracked, 'eventId')}/reverse`;
    const reversed = api.send('POST', path, { reason: 'failed' }, key());
    await untilLockWaits(service.database, 2);
    await holder.query('COMMIT');
    expect((await erased).status).toBe(202);
    const { status, body } = await reversed;
    expect([status, body['code']]).toEqual([409, 'customer_erased']);
  } finally {
    await holder.end();
  }
});

test('an erased customer takes nothing more, and its external id is free for another one', async () => {
  const { operator, service, scope } = world;
  const externalId = `reused-${randomUUID()}`;
  const { body } = await api.send('PUT', `/v1/customers/${externalId}`, { name: NAME });
  const id = String(body['id']);
  await api.track(externalId, 'api_calls', 1, 'first-use');
  const erased = await api.send('DELETE', `/v1/customers/${externalId}`);
  expect(erased.status).toBe(202);
  const pseudonym = `erased_${id}`;
  const codeOf = async (answer: Promise<{ status: number; body: Record<string, unknown> }>) => {
    const { status, body: problem } = await answer;
    return [status, problem['code']];
  };
  const refusal = [409, 'customer_erased'];
  expect(await codeOf(api.send('PUT', `/v1/customers/${pseudonym}`, { name: 'x' }))).toEqual(refusal);
  expect(await codeOf(api.send('PATCH', `/v1/customers/${pseudonym}`, { name: 'x' }))).toEqual(refusal);
  expect(await codeOf(operator.patch(`/api/customers/${id}`, { body: { name: 'x' } }))).toEqual(refusal);
  expect(
    await codeOf(operator.post(`/api/customers/${id}/credits`, { body: { amount: 1 }, headers: key() })),
  ).toEqual(refusal);
  const subscription = { customerId: id, planSlug: 'starter' };
  expect(
    await codeOf(operator.post('/api/billing/subscriptions', { body: subscription, headers: key() })),
  ).toEqual(refusal);
  for (const provider of ['internal', 'provider_a']) {
    const checkout = { customerId: id, planSlug: 'starter', provider };
    expect(await codeOf(operator.post('/api/billing/checkouts', { body: checkout, headers: key() }))).toEqual(
      refusal,
    );
  }
  const unknown = [404, 'customer_not_found'];
  expect(await codeOf(api.track(pseudonym, 'api_calls'))).toEqual(unknown);
  expect(await codeOf(api.track(externalId, 'api_calls'))).toEqual(unknown);
  expect(await codeOf(api.check(pseudonym, 'api_calls'))).toEqual(unknown);

  // During the erasure, another customer takes the same external id.
  const fresh = await api.send('PUT', `/v1/customers/${externalId}`, { name: NAME, metadata: { a: STREET } });
  expect(fresh.status).toBe(201);
  await operator.post('/api/billing/subscriptions', {
    body: { externalId, planSlug: 'starter', metadata: { seatOf: NAME } },
    headers: key(`${externalId}:begins`),
  });
  expect((await api.track(externalId, 'api_calls', 2, `${externalId}:2`, { source: 'laptop' })).status).toBe(
    200,
  );
  const shown = async () => {
    const list = await operator.get('/api/developer-events', {
      query: { customerId: String(fresh.body['id']) },
    });
    const rows = await service.database.query(
      `SELECT (SELECT json_agg(u.* ORDER BY u.id) FROM tollgate.usage_events u WHERE u.customer_id = $1) AS uses,
              (SELECT json_agg(a.* ORDER BY a.idempotency_key) FROM tollgate.idempotency_answers a
                WHERE a.body::text LIKE '%' || $1 || '%') AS answers,
              (SELECT json_agg(r.* ORDER BY r.id) FROM tollgate.audit_records r WHERE r.target = $1) AS audit`,
      [fresh.body['id']],
    );
    return [list.body['data'], rows, (await api.send('GET', `/v1/customers/${externalId}`)).body];
  };
  const before = await shown();
  await erasing.finish(scope, text(erased, 'id'));
  expect(await shown()).toEqual(before);
  expect((await api.track(externalId, 'api_calls', 2, `${externalId}:2`, { source: 'laptop' })).status).toBe(
    200,
  );
  // From now on, the external id belongs to that customer, which still has a subscription.
  expect(await codeOf(api.send('DELETE', `/v1/customers/${externalId}`))).toEqual([
    409,
    'customer_has_open_affairs',
  ]);
});

test('a key stays used, but for one that names the customer', async () => {
  const { operator, scope } = world;
  const externalId = `keyed-${randomUUID()}`;
  const begin = async (): Promise<string> => {
    await api.send('PUT', `/v1/customers/${externalId}`, {});
    const subscription = await operator.post('/api/billing/subscriptions', {
      body: { externalId, planSlug: 'starter' },
      headers: key(),
    });
    return text(subscription, 'id');
  };
  const keys = { telling: `${externalId}:bill-1`, random: randomUUID() };
  const first = await begin();
  for (const one of Object.values(keys))
    expect((await api.track(externalId, 'api_calls', 1, one)).status).toBe(200);
  await operator.post(`/api/billing/subscriptions/${first}/cancel`, { headers: key() });
  const erased = await api.send('DELETE', `/v1/customers/${externalId}`);
  expect(erased.status).toBe(202);
  await erasing.finish(scope, text(erased, 'id'));
  const again = (one: string) => api.track(externalId, 'api_calls', 1, one);
  expect((await again(keys.telling)).body).toMatchObject({ code: 'customer_not_found' });
  expect((await again(keys.random)).body).toMatchObject({ code: 'idempotency_key_reused' });
  await begin();
  expect((await again(keys.telling)).body).toMatchObject({ usage: 1 });
  expect((await again(keys.random)).body).toMatchObject({ code: 'idempotency_key_reused' });
});

test('what must end first is named, and nothing is changed', async () => {
  const { operator } = world;
  const { externalId, id: subscriptionId } = await world.subscribe('provider_a');
  const customer = await api.send('GET', `/v1/customers/${externalId}`);
  const checkout = await operator.post('/api/billing/checkouts', {
    body: { externalId, amount: { amount: '700', currency: 'USD' }, description: 'A visit' },
    headers: key(),
  });
  const refused = await api.send('DELETE', `/v1/customers/${externalId}`);
  expect([refused.status, refused.body['code'], refused.body['open']]).toEqual([
    409,
    'customer_has_open_affairs',
    { subscriptions: [subscriptionId], checkouts: [checkout.body['id']], refunds: [], operations: [] },
  ]);
  expect((await api.send('GET', `/v1/customers/${externalId}`)).body).toEqual(customer.body);
});

test('permitted: admins, and keys that were given the scope explicitly', async () => {
  const { service, scope, operator } = world;
  const { externalId, id } = (await operator.post('/api/customers', { body: { externalId: randomUUID() } }))
    .body as { externalId: string; id: string };
  for (const scopes of [null, ['read', 'billing', 'usage']] as const) {
    const other = new Integrator(service.urls.sandbox, await createKey(service.database, scope, scopes));
    expect((await other.send('DELETE', `/v1/customers/${externalId}`)).status).toBe(403);
  }
  const developer = await logIn(service, { role: 'developer', workspaceId: scope.workspaceId });
  expect((await developer.delete(`/api/customers/${id}`)).status).toBe(403);
  const stranger = await logIn(service, { role: 'owner' });
  expect((await stranger.delete(`/api/customers/${id}`)).status).toBe(404);
  const erased = await operator.delete(`/api/customers/${id}`);
  expect(erased.status).toBe(202);
  expect((await stranger.get(`/api/customer-erasures/${text(erased, 'id')}`)).body['code']).toBe(
    'erasure_not_found',
  );
  expect((await developer.get(`/api/customer-erasures/${text(erased, 'id')}`)).status).toBe(200);
});
