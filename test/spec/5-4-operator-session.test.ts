import type { Environment } from '../../src/domain/environment';
import { consoleRoutes } from '../../src/http/console/routes';
import type { Route } from '../../src/http/route';
import { roles, type Role } from '../../src/operators/roles';
import { createClient, logIn, type OperatorClient } from '../support/operator';
import { routesOf } from '../support/routes';
import { createWorkspace, type TestWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/**
 * Section 5, row 4: paths beginning with `/api/` require an authenticated operator session and read within an
 * operator-scoped workspace boundary.
 */
const service = useService();
let workspace: TestWorkspace;
const callers = new Map<string, OperatorClient>();
beforeAll(async () => {
  workspace = await createWorkspace(service.database);
  const { workspaceId } = workspace;
  const nobody = { operatorId: '', email: '', workspaceId, cookie: '' };
  callers.set('anonymous', createClient(service.urls.console, nobody));
  const stranger = await logIn(service, { role: 'owner' });
  callers.set('stranger', createClient(service.urls.console, { ...stranger, workspaceId }));
  const administrator = await logIn(service, { platformAdministrator: true });
  callers.set('administrator', createClient(service.urls.console, { ...administrator, workspaceId }));
  for (const role of roles) callers.set(role, await logIn(service, { role, workspaceId }));
});

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Each operation and the lowest role that may call it. With a sufficient role, the bodies are refused as invalid
 * (400).
 */
const operations: [Method, string, Role][] = [
  ['get', '/api/developer-events', 'viewer'],
  ['get', '/api/plan-groups', 'viewer'],
  ['post', '/api/plan-groups', 'developer'],
  ['get', '/api/plans', 'viewer'],
  ['post', '/api/plans', 'developer'],
  ['get', '/api/features', 'viewer'],
  ['post', '/api/features', 'developer'],
  ['get', '/api/customers', 'viewer'],
  ['post', '/api/customers', 'developer'],
  ['get', '/api/billing/subscriptions', 'viewer'],
  ['post', '/api/billing/subscriptions', 'developer'],
  ['get', '/api/billing/settings', 'viewer'],
  ['put', '/api/billing/settings', 'admin'],
  ['patch', '/api/billing/settings', 'admin'],
  ['get', '/api/api-keys', 'viewer'],
  ['post', '/api/api-keys', 'developer'],
  ['post', '/api/api-keys/key_x/revoke', 'developer'],
  ['get', '/api/sandbox/clock', 'viewer'],
  ['post', '/api/sandbox/clock', 'developer'],
  ['get', '/api/audit', 'admin'],
];

function expected(caller: string, least: Role): 'passes' | 401 | 403 | 404 {
  if (caller === 'anonymous') return 401;
  const held = roles.find((role) => role === caller);
  if (held === undefined) return 404;
  return roles.indexOf(held) >= roles.indexOf(least) ? 'passes' : 403;
}

const codes = { 401: 'session_required', 403: 'role_forbidden', 404: 'organization_forbidden' };

describe.each(['anonymous', 'stranger', 'administrator', ...roles])('%s', (caller) => {
  test.each(operations)('%s %s takes at least a %s', async (method, path, least) => {
    const client = callers.get(caller);
    const body = method === 'get' || path.endsWith('/revoke') ? undefined : { unknownField: 1 };
    const answer = await client?.[method](path, body === undefined ? {} : { body });
    const outcome = expected(caller, least);
    if (outcome === 'passes') {
      expect(answer?.status).toBe(method === 'get' ? 200 : path.endsWith('/revoke') ? 404 : 400);
      expect(['role_forbidden', 'organization_forbidden']).not.toContain(answer?.body['code']);
    } else {
      expect(answer).toMatchObject({ status: outcome, body: { code: codes[outcome] } });
    }
  });
});

const operatorRoutes = routesOf(consoleRoutes).filter(({ access }) => access === 'operator');

test.each(operatorRoutes.map((one): [string, Route] => [`${one.method} ${one.path}`, one]))(
  '%s lets in the roles that its description names, before it reads a body',
  async (_name, { method, path, role: least = 'owner', roleInProduction = least }) => {
    for (const env of ['sandbox', 'production'] as const) {
      const needed = env === 'production' ? roleInProduction : least;
      for (const role of roles) {
        const client = callers.get(role);
        // A stream that opens does not end.
        if (client === undefined || path.endsWith('/stream')) continue;
        const body = method === 'get' || method === 'delete' ? undefined : { unknownField: 1 };
        const address = path.replaceAll(/\{\w+\}/g, 'x');
        const answer = await client[method](address, body === undefined ? { env } : { env, body });
        const isLetIn = answer.body['code'] !== 'role_forbidden';
        const isEnough = roles.indexOf(role) >= roles.indexOf(needed);
        expect([env, role, isLetIn]).toEqual([env, role, isEnough]);
      }
    }
  },
);

test('every console path but the way in refuses who is not logged in', async () => {
  const document = (await (await fetch(`${service.urls.console}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const paths = Object.entries(document.paths);
  expect(paths.length).toBeGreaterThan(20);
  const open: string[] = [];
  for (const [path, methods] of paths) {
    for (const method of Object.keys(methods)) {
      const answer = await fetch(service.urls.console + path.replaceAll(/\{\w+\}/g, 'x'), {
        method: method.toUpperCase(),
      });
      if (answer.status !== 401) open.push(`${method} ${path}`);
    }
  }
  expect(open.filter((operation) => operation.includes(' /api/')).sort()).toEqual([
    'post /api/auth/invitations/accept',
    'post /api/auth/invitations/accept/second-factor',
    'post /api/auth/invitations/look-up',
    'post /api/auth/login',
    'post /api/auth/login/second-factor',
    'post /api/auth/reset-links/look-up',
    'post /api/auth/reset-links/use',
  ]);
});

test('an API key opens nothing on the console', async () => {
  for (const key of [workspace.sandboxKey, workspace.productionKey]) {
    const answer = await callers
      .get('anonymous')
      ?.get('/api/developer-events', { headers: { Authorization: `Bearer ${key}` } });
    expect(answer?.status).toBe(401);
  }
});

test('a session opens nothing on the API hosts', async () => {
  const { cookie } = callers.get('owner') ?? { cookie: '' };
  for (const host of [service.urls.sandbox, service.urls.production]) {
    expect((await fetch(`${host}/v1/events`, { headers: { Cookie: cookie } })).status).toBe(401);
    expect((await fetch(`${host}/api/developer-events`, { headers: { Cookie: cookie } })).status).toBe(404);
  }
});

test.each<[string, string[]]>([
  ['', ['/query/organizationId', '/query/env']],
  ['?organizationId=org_1', ['/query/env']],
  ['?env=sandbox', ['/query/organizationId']],
  ['?organizationId=org_1&env=test', ['/query/env']],
  ['?organizationId=&env=sandbox', ['/query/organizationId']],
  ['?organizationId=org_1&organizationId=org_2&env=sandbox', ['/query/organizationId']],
  ['?organizationId=org_1&env=sandbox&env=production', ['/query/env']],
])('the workspace has to be chosen, once: %p', async (query, pointers) => {
  const { cookie } = callers.get('owner') ?? { cookie: '' };
  const answer = await fetch(`${service.urls.console}/api/audit${query}`, { headers: { Cookie: cookie } });
  expect(answer.status).toBe(400);
  const { code, errors } = (await answer.json()) as { code: string; errors: { pointer: string }[] };
  expect(code).toBe('validation_failed');
  expect(errors.map((error) => error.pointer)).toEqual(pointers);
});

test('an organization of others is as unknown as none', async () => {
  const stranger = callers.get('stranger');
  const problem = async (organizationId: string): Promise<unknown> => {
    const answer = await stranger?.get('/api/audit', { organizationId });
    return { ...answer?.body, requestId: '' };
  };
  expect(await problem(workspace.workspaceId)).toEqual(await problem('org_01h0000000000000000000000'));
});

test('what is read is the chosen organization’s and environment’s own', async () => {
  const owner = callers.get('owner');
  const key = async (env: Environment, organizationId?: string): Promise<string[]> => {
    const answer = await owner?.get('/api/api-keys', {
      env,
      ...(organizationId === undefined ? {} : { organizationId }),
    });
    return ((answer?.body['data'] ?? []) as { id: string }[]).map(({ id }) => id);
  };
  expect(await key('sandbox')).toEqual([workspace.sandboxKeyId]);
  expect(await key('production')).not.toContain(workspace.sandboxKeyId);
});
