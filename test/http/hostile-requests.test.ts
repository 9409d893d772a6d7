import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { errorCode } from '../../src/domain/errors';
import { readBytesInTime } from '../../src/http/body';
import { readBytes } from '../../src/http/body-bytes';
import { ORDINARY_BODY } from '../../src/http/body-limit';
import { consoleRoutes } from '../../src/http/console/routes';
import type { Route } from '../../src/http/route';
import { apiRoutes } from '../../src/http/v1/routes';
import { ADDRESS_FAILURES } from '../../src/operators/login-throttle';
import { logIn, type OperatorClient } from '../support/operator';
import { routesOf } from '../support/routes';
import { createWorkspace, type TestWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/** Every route, called with addresses and methods that none of our clients sends. */
const routes = {
  sandbox: routesOf((services) => apiRoutes(services, 'sandbox')),
  console: routesOf(consoleRoutes),
};
type Host = keyof typeof routes;
const everyRoute = (Object.keys(routes) as Host[]).flatMap((host) =>
  routes[host].map((route): [string, Host, Route] => [`${host} ${route.method} ${route.path}`, host, route]),
);

const service = useService();
let workspace: TestWorkspace;
let operator: OperatorClient;
beforeAll(async () => {
  workspace = await createWorkspace(service.database);
  operator = await logIn(service, {
    workspaceId: workspace.workspaceId,
    role: 'owner',
    platformAdministrator: true,
  });
});

interface Answer {
  status: number;
  allow: string | undefined;
  code: string | undefined;
  /** What is wrong, where and how to mend it, if the problem says so. */
  findings: number;
}

/** Sends the request with `node:http`, because a client library would normalize the address. */
function send(host: Host, method: string, path: string, body?: string): Promise<Answer> {
  const headers = {
    Cookie: operator.cookie,
    Authorization: `Bearer ${workspace.sandboxKey}`,
    'Idempotency-Key': 'hostile',
    ...(body !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    }),
  };
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.urls[host]);
    const sent = request({ hostname, port, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => {
        const { code, errors = [] } = (text.startsWith('{') ? JSON.parse(text) : {}) as {
          code?: string;
          errors?: unknown[];
        };
        const { statusCode: status = 0, headers: answered } = response;
        resolve({ status, allow: answered.allow, code, findings: errors.length });
      });
      // An event stream never ends.
      if (response.headers['content-type'] === 'text/event-stream') response.destroy();
      response.once('close', () => {
        resolve({ status: response.statusCode ?? 0, allow: undefined, code: undefined, findings: 0 });
      });
    });
    sent.once('error', reject).end(body);
  });
}

const addressOf = (route: Route, value: string): string => route.path.replaceAll(/\{\w+\}/g, value);
const workspaceQuery = (): string => `organizationId=${workspace.workspaceId}&env=sandbox`;

test.each(everyRoute)('%s: OPTIONS and 405 name its methods', async (_, host, route) => {
  const path = addressOf(route, route.path.includes('{provider}') ? 'provider_a' : 'x');
  const options = await send(host, 'OPTIONS', path);
  expect([options.status, options.code]).toEqual([204, undefined]);
  const methods = (options.allow ?? '').split(', ');
  expect(methods).toContain(route.method.toUpperCase());
  expect(methods.includes('HEAD')).toBe(methods.includes('GET'));
  expect(methods).toContain('OPTIONS');
  const other = ['GET', 'PUT', 'DELETE'].find((method) => !methods.includes(method));
  if (other === undefined) return;
  const refused = await send(host, other, path);
  expect([refused.status, refused.code, refused.allow]).toEqual([405, 'method_not_allowed', options.allow]);
});

test.each(everyRoute)(
  '%s: strange characters in its address are no failure of ours',
  async (_, host, route) => {
    const filters = route.query instanceof z.ZodObject ? Object.keys(route.query.shape) : [];
    const query = route.access === 'operator' ? `?${workspaceQuery()}` : '?';
    const strange = ['%00', '%ed%a0%80', "'--", '%', '%2e%2e%2f', 'x'.repeat(3_000)];
    const paths = [
      ...(route.path.includes('{') ? strange.map((value) => addressOf(route, value) + query) : []),
      ...filters.flatMap((name) =>
        strange.slice(0, 3).map((value) => `${addressOf(route, 'x')}${query}&${name}=${value}`),
      ),
      ...(route.access === 'operator'
        ? strange.map((value) => `${addressOf(route, 'x')}?organizationId=${value}&env=sandbox`)
        : []),
    ];
    const body = route.body === undefined ? undefined : '{}';
    for (const path of paths) {
      const { status, code, findings } = await send(host, route.method.toUpperCase(), path, body);
      expect([path.slice(0, 200), status, status < 500]).toEqual([path.slice(0, 200), status, true]);
      expect(code).not.toBe('internal_error');
      // Its fix is to correct what they point to.
      if (code === 'validation_failed')
        expect([path.slice(0, 200), findings > 0]).toEqual([path.slice(0, 200), true]);
    }
  },
);

test('a path that no host has is 404, with every method; OPTIONS * is answered', async () => {
  for (const [host, path] of [
    ['sandbox', '/api/plans'],
    ['console', '/v1/usage/check'],
    ['sandbox', '//v1/events'],
    ['sandbox', '/v1/customer/'],
    ['console', '/nothing'],
  ] as const) {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
      expect([path, method, (await send(host, method, path)).status]).toEqual([path, method, 404]);
    }
  }
  expect((await send('sandbox', 'OPTIONS', '*')).status).toBe(204);
});

test('an address in a proxy’s form that is no URL is the caller’s fault; one that is, is answered', async () => {
  for (const host of ['sandbox', 'console'] as const) {
    for (const address of ['http://', 'http://[', 'HTTPS://[::1'])
      for (const method of ['GET', 'POST', 'OPTIONS'])
        expect([address, method, await send(host, method, address)]).toEqual([
          address,
          method,
          { status: 400, allow: undefined, code: 'validation_failed', findings: 1 },
        ]);
    expect((await send(host, 'GET', 'http://elsewhere.example/healthz')).status).toBe(200);
  }
});

test.each([
  ['no Host', '1.1', '', 400],
  ['two Hosts', '1.1', 'Host: a.test\r\nhost: b.test\r\n', 400],
  ['two Hosts of HTTP/1.0', '1.0', 'Host: a.test\r\nHost: a.test\r\n', 400],
  ['one Host', '1.1', 'Host: a.test\r\n', 401],
  ['no Host in HTTP/1.0', '1.0', '', 401],
])(
  '%s: the request is refused if it does not say once which host it is for',
  async (_, version, host, status) => {
    for (const call of ['GET /v1/events', 'POST /v1/usage/check']) {
      const text = await sendText(`${call} HTTP/${version}\r\n${host}Connection: close\r\n\r\n`);
      const [head = '', body = ''] = text.split('\r\n\r\n');
      expect([call, head.split(' ')[1]]).toEqual([call, String(status)]);
      expect(head).toMatch(/^Request-Id: req_/m);
      const code = status === 400 ? 'request_malformed' : 'api_key_missing';
      expect(JSON.parse(body)).toMatchObject({ status, code });
    }
  },
);

test.each(['console', 'sandbox', 'production'] as const)(
  'a load balancer may check the host %s as it does by default: by HTTP/1.0 without Host, or by address',
  async (host) => {
    const port = Number(new URL(service.urls[host]).port);
    for (const start of ['HTTP/1.0\r\n', 'HTTP/1.1\r\nHost: 10.0.0.5:8080\r\nConnection: close\r\n']) {
      expect(await sendText(`GET /healthz ${start}\r\n`, port)).toMatch(/^HTTP\/1\.1 200 /);
    }
  },
);

/** Sends text that `node:http` would not, and returns the answer. */
async function sendText(text: string, port = Number(new URL(service.urls.sandbox).port)): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

test('HEAD answers as GET does, without a body', async () => {
  for (const path of ['/v1/events', '/docs', '/docs/', '/healthz', '/']) {
    expect([path, (await send('sandbox', 'HEAD', path)).status]).toEqual([path, 200]);
    expect([path, (await send('sandbox', 'GET', path)).status]).toEqual([path, 200]);
  }
});

// Other methods accept the slash, so that some of these addresses are known.
test.each(['/v1/customers/', '/v1/plans/', '/v1/events/', '/v1/subscriptions/', '/v1/customers/acme/'])(
  'GET %s reads neither the list nor what the part without a name belongs to, and says so',
  async (path) => {
    const refused = { status: 404, allow: undefined, code: 'route_not_found', findings: 0 };
    expect(await send('sandbox', 'GET', path)).toEqual(refused);
    expect(await send('sandbox', 'HEAD', path)).toMatchObject({ status: 404 });
    const problem = await (await fetch(`${service.urls.sandbox}${path}`)).json();
    expect(problem).toMatchObject({
      detail: `There is no route GET ${path}: the address ends with a slash.`,
    });
  },
);

test.each([
  ['a body', 'GET', '/v1/events', '{"take":1}'],
  ['a query', 'POST', '/v1/usage/check?limit=1', '{}'],
  ['a query of many parameters', 'GET', `/v1/plans?${'a&'.repeat(100)}`, undefined],
  ['Latin-1 in the path', 'GET', '/v1/customers/caf%E9', undefined],
])('%s that a route does not take: the problem points to it', async (_, method, path, body) => {
  const answer = await send('sandbox', method, path, body);
  expect(answer).toMatchObject({ status: 400, code: 'validation_failed', findings: 1 });
});

test('DELETE with a slash at the end is no invitation to write by another method', async () => {
  const answer = await send('sandbox', 'DELETE', '/v1/customers/acme/');
  expect(answer).toEqual({ status: 404, allow: undefined, code: 'route_not_found', findings: 0 });
});

test('of many small headers, none is dropped', async () => {
  const many = Object.fromEntries(Array.from({ length: 1_100 }, (_, index) => [`x${index}`, '1']));
  const headers = { ...many, Authorization: `Bearer ${workspace.sandboxKey}` };
  const sent = request(`${service.urls.sandbox}/v1/events`, { headers });
  const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(200);
});

test('a body that comes byte by byte is kept in few pieces', async () => {
  const text = 'body'.repeat(25_000);
  const bytes = Array.from(text, (byte) => Buffer.from(byte));
  const body = Readable.from(bytes, { objectMode: false });
  const joined = jest.spyOn(Buffer, 'concat');
  const read = await readBytes(Object.assign(body, { headers: {} }) as never, text.length);
  const pieces = joined.mock.calls.map(([list]) => list.length);
  joined.mockRestore();
  expect(read.toString()).toBe(text);
  expect(Math.max(...pieces)).toBeLessThan(1_000);
});

test('a body that does not arrive in time is answered, and not only cut off', async () => {
  const server = createServer((incoming, response) => {
    readBytesInTime(incoming, ORDINARY_BODY, 10).catch((error: unknown) => {
      response.writeHead(408, { Connection: 'close' }).end(errorCode(error));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const begun = 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 100\r\n\r\n{"a":';
  expect(await sendText(begun, port)).toMatch(/^HTTP\/1\.1 408 [^]*request_timeout/);
  server.close();
});

// Must run last: afterwards this address is throttled for a while.
test('a flood of malformed log-in bodies is refused before a body is read', async () => {
  const logInWith = (body: string) => send('console', 'POST', '/api/auth/login', body);
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length < 200)
    statuses.push((await logInWith('{"no":1}')).status);
  expect(statuses.length).toBeGreaterThan(20);
  expect(statuses.length).toBeLessThanOrEqual(ADDRESS_FAILURES + 1);
  expect(new Set(statuses)).toEqual(new Set([400, 429]));
  const large = JSON.stringify({ password: 'x'.repeat(20_000) });
  expect(await logInWith(large)).toMatchObject({ status: 429, code: 'login_throttled' });
  // Following an invitation is not a failed password attempt.
  const invited = () => send('console', 'POST', '/api/auth/invitations/look-up', '{"token":"x"}');
  expect(await invited()).toMatchObject({ status: 404, code: 'invitation_invalid' });
  const accept = '/api/auth/invitations/accept';
  for (let n = 1; n < ADDRESS_FAILURES; n += 1) await send('console', 'POST', accept, '{"no":1}');
  expect(await send('console', 'POST', accept, large)).toMatchObject({ status: 429 });
  expect(await invited()).toMatchObject({ status: 429, code: 'login_throttled' });
  expect((await send('console', 'GET', '/api/auth/session')).status).toBe(200);
});
