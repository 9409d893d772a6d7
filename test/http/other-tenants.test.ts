import { randomUUID } from 'node:crypto';
import { KEY_SCOPES } from '../../src/domain/key-scopes';
import type { Route } from '../../src/http/route';
import { apiRoutes } from '../../src/http/v1/routes';
import { newIdentifier } from '../../src/identifiers/identifier';
import { makeMore, startDemoService } from '../support/demo';
import { Integrator } from '../support/integrator';
import { routesOf } from '../support/routes';
import { rowsOf } from '../support/tenant-rows';
import { createKey, createWorkspace } from '../support/workspace';
import { useStarted } from '../support/use-started';

/** Every route of a key, called with ids of another workspace or of the other environment. */
const bench = useStarted(startDemoService);
/** A real id of each collection in the demo's sandbox, by collection. */
let real: Record<string, string>;
let callers: Record<'another workspace' | 'the other environment', Integrator>;

const keyRoutes = routesOf((services) => apiRoutes(services, 'sandbox')).filter(
  ({ access }) => access === 'apiKey',
);

beforeAll(async () => {
  const { api, service, operator } = bench;
  await makeMore(bench);
  const first = async (path: string) => {
    const [item] = (await api.send('GET', path)).body['data'] as { id: string }[];
    if (item === undefined) throw new Error(`${path} is empty.`);
    return item.id;
  };
  const { decisionId } = (await api.check('demo_acme', 'ai_tokens')).body;
  const { eventId } = (await api.track('demo_acme', 'ai_tokens')).body;
  await api.track('demo_acme', 'ai_tokens', 1, randomUUID(), { entity: 'user_17' });
  const held = { externalId: 'demo_acme', feature: 'ai_tokens', quantity: 1 };
  const reserve = { expiresInSeconds: 600 };
  const { reservationId } = (await api.send('POST', '/v1/usage/check', { ...held, reserve })).body;
  const body = { amount: 1 };
  const granted = await api.send('POST', '/v1/customers/demo_acme/credits', body, {
    'Idempotency-Key': randomUUID(),
  });
  const [refund] = await service.database.query<{ id: string }>(
    `INSERT INTO tollgate.refunds
       (workspace_id, environment, id, payment_id, status, currency, amount, requested_at, completed_at, created_at)
     SELECT workspace_id, environment, $1, id, 'succeeded', currency, 1, received_at, received_at, created_at
       FROM tollgate.payments WHERE id = $2 RETURNING id`,
    [newIdentifier('refund'), await first('/v1/payments')],
  );
  const endpoints = await first('/v1/webhook-endpoints');
  const deliveries = await api.send('GET', `/v1/webhook-endpoints/${endpoints}/deliveries`);
  const [delivery] = deliveries.body['data'] as { messageId: string }[];
  const since = { since: '2026-01-01T00:00:00Z' };
  const resend = await api.send('POST', `/v1/webhook-endpoints/${endpoints}/resends`, since, {
    'Idempotency-Key': randomUUID(),
  });
  const { body: leaving } = await operator.post('/api/customers', { body: { externalId: 'leaving' } });
  const erasure = await operator.delete(`/api/customers/${String(leaving['id'])}`);
  // Nothing carries out commands here, so the refund and its operation are written as they would be afterwards.
  const [operation] = await service.database.query<{ id: string }>(
    `INSERT INTO tollgate.operations
       (workspace_id, environment, id, kind, target_id, input, status, idempotency_key, fingerprint, reason, request_id, created_at, finished_at)
     SELECT workspace_id, environment, $1, 'refund', id, '{}', 'succeeded', $1, '\\x00', 'API_KEY', 'req_x', created_at, created_at
       FROM tollgate.refunds WHERE id = $2 RETURNING id`,
    [newIdentifier('operation'), refund?.id],
  );
  real = {
    externalId: 'demo_acme',
    idOrSlug: await first('/v1/plans'),
    subscriptions: await first('/v1/subscriptions'),
    transactions: await first('/v1/transactions'),
    payments: await first('/v1/payments'),
    checkouts: await first('/v1/checkouts'),
    customers: await first('/v1/customers'),
    plans: await first('/v1/plans'),
    refunds: String(refund?.id),
    operations: String(operation?.id),
    messages: await first('/v1/webhook-messages'),
    decisions: String(decisionId),
    events: String(eventId),
    reservations: String(reservationId),
    entities: 'user_17',
    erasures: String(erasure.body['id']),
    endpoints,
    deliveries: String(delivery?.messageId),
    resends: String(resend.body['id']),
    grantId: String(granted.body['id']),
  };
  const missing = Object.entries(real).filter(([, id]) => id === 'undefined');
  if (missing.length > 0) throw new Error(`There is none of ${missing.join()}.`);
  const stranger = await createWorkspace(service.database, 'Stranger');
  const keyOf = (scope: typeof stranger.sandbox) => createKey(service.database, scope, KEY_SCOPES);
  callers = {
    'another workspace': new Integrator(service.urls.sandbox, await keyOf(stranger.sandbox)),
    'the other environment': new Integrator(
      service.urls.production,
      await keyOf({ workspaceId: operator.workspaceId, environment: 'production' }),
    ),
  };
});

/** Returns the path with these ids. */
function pathWith({ path }: Route, ids: Record<string, string>): string {
  return path.replaceAll(/(\w+)\/\{(\w+)\}/g, (_, collection: string, name: string) => {
    const id = ids[name] ?? ids[collection];
    if (id === undefined) throw new Error(`${path}: there is no id of ${collection}.`);
    return `${collection}/${id}`;
  });
}

/** Returns ids that resemble the real ones but do not exist. */
function madeUp(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(real).map(([name, id]) => [name, id.includes('_0') ? `${id.slice(0, -4)}zzzz` : 'nobody']),
  );
}

/** Returns the example body, with every id and name in it replaced. */
function bodyWith({ example }: Route, ids: Record<string, string>): Record<string, unknown> | undefined {
  if (example === undefined) return undefined;
  const own: Record<string, string | undefined> = {
    externalId: ids['externalId'],
    planSlug: ids['externalId'] === 'nobody' ? 'nothing' : 'pro',
    transactionId: ids['transactions'],
    paymentId: ids['payments'],
  };
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, own[name] ?? value]));
}

const named = keyRoutes.filter(({ path }) => path.includes('{')).filter(({ method }) => method !== 'put');

test.each(['another workspace', 'the other environment'] as const)(
  'in %s an id is answered as one that nobody has',
  async (where) => {
    const caller = callers[where];
    const organizationName = await nameOfDemo();
    const before = await rowsOf(bench.service.database, organizationName, { except: ['api_keys'] });
    for (const route of named) {
      const ask = (ids: Record<string, string>) =>
        caller.send(route.method.toUpperCase(), pathWith(route, ids), bodyWith(route, ids), {
          'Idempotency-Key': randomUUID(),
        });
      const [theirs, nobodys] = [await ask(real), await ask(madeUp())];
      expect([route.operationId, theirs.status, theirs.body['code']]).toEqual([
        route.operationId,
        nobodys.status,
        nobodys.body['code'],
      ]);
      expect([route.operationId, theirs.status]).toEqual([route.operationId, 404]);
    }
    expect(await rowsOf(bench.service.database, organizationName, { except: ['api_keys'] })).toBe(before);
  },
);

async function nameOfDemo(): Promise<string> {
  const [row] = await bench.service.database.query<{ name: string }>(
    'SELECT name FROM tollgate.organizations WHERE workspace_id = $1',
    [bench.operator.workspaceId],
  );
  return row?.name ?? '';
}

test.each(['another workspace', 'the other environment'] as const)(
  'in %s a body that names them is refused, and a filter by them finds nothing',
  async (where) => {
    const caller = callers[where];
    await caller.send('PUT', '/v1/customers/own', {});
    const { customers, plans } = real;
    const key = () => ({ 'Idempotency-Key': randomUUID() });
    for (const [path, body, code] of [
      ['/v1/subscriptions', { customerId: customers, planId: plans }, 'customer_not_found'],
      ['/v1/subscriptions', { externalId: 'demo_new', planSlug: 'pro' }, 'customer_not_found'],
      ['/v1/subscriptions', { externalId: 'own', planId: plans }, 'plan_not_found'],
      ['/v1/checkouts', { externalId: 'own', planId: plans }, 'plan_not_found'],
      ['/v1/checkouts', { customerId: customers, planId: plans }, 'customer_not_found'],
      ['/v1/refunds', { paymentId: real['payments'] }, 'payment_not_found'],
    ] as const) {
      const answer = await caller.send('POST', path, body, key());
      expect([path, body, answer.status, answer.body['code']]).toEqual([path, body, 404, code]);
    }
    const check = await caller.check('demo_acme', 'ai_tokens');
    expect([check.status, check.body['code']]).toEqual([404, 'customer_not_found']);
    for (const list of ['subscriptions', 'transactions', 'payments', 'refunds', 'checkouts']) {
      for (const query of [`customerId=${customers}`, 'externalId=demo_acme', '', 'expand=customer']) {
        const answer = await caller.send('GET', `/v1/${list}?${query}`);
        expect([list, query, answer.status, answer.body['data']]).toEqual([list, query, 200, []]);
      }
    }
    expect((await caller.send('GET', '/v1/operations')).body['data']).toEqual([]);
    const { text } = await caller.send('GET', '/v1/customers');
    expect(text).not.toContain('demo_');
  },
);

test.each(['subscriptions', 'transactions', 'payments', 'refunds', 'checkouts'])(
  'the %s of a customer are found by our id and by the integrator’s',
  async (list) => {
    const idsBy = async (query: string) => {
      const { body } = await bench.api.send('GET', `/v1/${list}?${query}`);
      return (body['data'] as { id: string }[]).map(({ id }) => id);
    };
    const { body } = await bench.api.send('GET', `/v1/${list}?take=1`);
    const [one] = body['data'] as { id: string; customerId: string }[];
    const [customer] = await bench.service.database.query<{ externalId: string }>(
      'SELECT external_id AS "externalId" FROM tollgate.customers WHERE id = $1',
      [one?.customerId],
    );
    const found = await idsBy(`externalId=${customer?.externalId}`);
    expect(found).toContain(one?.id);
    expect(found).toEqual(await idsBy(`customerId=${one?.customerId}`));
    expect(await idsBy('externalId=demo_nobody')).toEqual([]);
  },
);

test('a cursor of one workspace is refused in another', async () => {
  for (const list of ['customers', 'subscriptions', 'plans', 'transactions', 'payments', 'events']) {
    const { body } = await bench.api.send('GET', `/v1/${list}?take=1`);
    const path = `/v1/${list}?take=1&cursor=${String(body['nextCursor'])}`;
    for (const caller of Object.values(callers)) {
      expect(await caller.send('GET', path)).toMatchObject({ status: 400, body: { code: 'cursor_invalid' } });
    }
  }
});

test('a key is refused on the other environment’s host', async () => {
  const { service, demo } = bench;
  for (const [url, key] of [
    [service.urls.production, demo.sandboxKey],
    [service.urls.sandbox, demo.productionKey],
  ] as const) {
    for (const route of keyRoutes) {
      const { status, body } = await new Integrator(url, key).send(
        route.method.toUpperCase(),
        pathWith(route, real),
        bodyWith(route, real),
      );
      expect([route.operationId, status, body['code']]).toEqual([
        route.operationId,
        401,
        'api_key_wrong_environment',
      ]);
    }
  }
});
