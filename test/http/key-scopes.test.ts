import { KEY_SCOPES, type KeyScope } from '../../src/domain/key-scopes';
import type { Route } from '../../src/http/route';
import { apiRoutes } from '../../src/http/v1/routes';
import { Integrator, type Answer } from '../support/integrator';
import { routesOf } from '../support/routes';
import { createKey, createWorkspace, type TestWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

const keyRoutes = routesOf((services) => apiRoutes(services, 'sandbox')).filter(
  ({ access }) => access === 'apiKey',
);

const service = useService();
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await createWorkspace(service.database);
});

async function callerWith(scopes: readonly KeyScope[] | null): Promise<Integrator> {
  return new Integrator(service.urls.sandbox, await createKey(service.database, workspace.sandbox, scopes));
}

/** Calls a route with ids that do not exist. A key with the route's scope gets another answer than 403. */
function call(caller: Integrator, { method, path }: Route): Promise<Answer> {
  const body = ['post', 'put', 'patch'].includes(method) ? {} : undefined;
  // A stream never ends, but one that is asked to continue after an unknown event does not begin.
  const after = path.endsWith('/stream') ? '?after=nothing' : '';
  return caller.send(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'nothing') + after, body);
}

test('every route that takes a key names its scope', () => {
  expect(keyRoutes.filter(({ scopes }) => scopes === undefined)).toEqual([]);
});

test('a key without any of a route’s scopes is refused, with the scope that it needs', async () => {
  for (const route of keyRoutes) {
    const anyOf: readonly KeyScope[] = route.scopes?.anyOf ?? [];
    const others = KEY_SCOPES.filter((scope) => !anyOf.includes(scope));
    const { status, body } = await call(await callerWith(others), route);
    expect([route.operationId, status, body]).toMatchObject([
      route.operationId,
      403,
      { code: 'scope_missing', scope: anyOf[0] },
    ]);
  }
});

test('each of a route’s scopes is enough', async () => {
  for (const scope of KEY_SCOPES) {
    const caller = await callerWith([scope]);
    for (const route of keyRoutes) {
      const allowed = route.scopes?.anyOf.includes(scope) === true;
      const { status } = await call(caller, route);
      expect([scope, route.operationId, status === 403]).toEqual([scope, route.operationId, !allowed]);
    }
  }
});

test('a key from before scopes does what it did, and nothing more', async () => {
  const caller = await callerWith(null);
  const allowed = [];
  for (const route of keyRoutes) {
    if ((await call(caller, route)).status !== 403) allowed.push(route.operationId);
  }
  expect(allowed).toEqual([
    'checkUsage',
    'trackUsage',
    'trackUsageBatch',
    'putCustomer',
    'getCustomer',
    'updateCustomer',
    'listCustomerEntitlements',
    'releaseReservation',
    'listEvents',
    'getDecision',
  ]);
});

test('an operation is read with the scope of its command', async () => {
  const ids: Record<string, string> = {};
  for (const kind of ['refund', 'cancel']) {
    const id = `op_of_${kind}`;
    await service.database.query(
      `INSERT INTO tollgate.operations
         (workspace_id, environment, id, kind, target_id, input, status, idempotency_key, fingerprint, reason, request_id, created_at, finished_at, problem)
       VALUES ($1, 'sandbox', $2, $3, 'x', '{}', 'refused', $2, '\\x00', 'API_KEY', 'req_x', now(), now(), '{"code":"payment_not_found","detail":"There is none."}')`,
      [workspace.workspaceId, id, kind],
    );
    ids[kind] = id;
  }
  for (const [scope, refund, cancel] of [
    ['read', 200, 200],
    ['billing', 200, 403],
    ['subscriptions', 403, 200],
  ] as const) {
    const caller = await callerWith([scope]);
    const answers = [ids['refund'], ids['cancel']].map((id) => caller.send('GET', `/v1/operations/${id}`));
    expect([scope, ...(await Promise.all(answers)).map(({ status }) => status)]).toEqual([
      scope,
      refund,
      cancel,
    ]);
  }
});
