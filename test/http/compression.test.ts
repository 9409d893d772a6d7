import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createCustomer, createFeature } from '../catalog/offer';
import { consoleRoutes } from '../../src/http/console/routes';
import { openApiDocument } from '../../src/http/openapi/document';
import { apiRoutes } from '../../src/http/v1/routes';
import { logIn, type OperatorClient } from '../support/operator';
import { routesOf } from '../support/routes';
import { createWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

const service = useService();
let client: OperatorClient;
let sandboxKey: string;
/** Addresses of a list larger than a kilobyte, and of an empty one. */
let long: string;
let short: string;
beforeAll(async () => {
  const workspace = await createWorkspace(service.database);
  sandboxKey = workspace.sandboxKey;
  client = await logIn(service, { role: 'admin', workspaceId: workspace.workspaceId });
  for (let made = 0; made < 8; made += 1) await createFeature(client);
  const query = `organizationId=${workspace.workspaceId}&env=sandbox`;
  long = `/api/features?${query}`;
  short = `/api/plans?${query}`;
});

interface Raw {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Returns an answer as sent on the wire, without decompression. */
async function ask(
  url: string,
  headers: Record<string, string | undefined>,
  { method = 'GET', body }: { method?: string; body?: object } = {},
): Promise<Raw> {
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  const outgoing = request(url, { method, headers: sent });
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) };
}
const askConsole = (path: string, encoding: string | undefined, method = 'GET'): Promise<Raw> =>
  ask(
    service.urls.console + path,
    { Cookie: client.cookie, Origin: service.urls.console, 'Accept-Encoding': encoding },
    { method },
  );

describe('an answer over a kilobyte', () => {
  test.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip;q=0.1, br;q=0.9', 'br'],
    ['deflate, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['identity', undefined],
    ['zstd', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('to one who accepts %j is sent as %j', async (accepted, coding) => {
    const plain = await askConsole(long, undefined);
    const answer = await askConsole(long, accepted);
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, coding]);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['vary']).toContain('Accept-Encoding');
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
    const read = { gzip: gunzipSync, br: brotliDecompressSync };
    const body = coding === undefined ? answer.bytes : read[coding as 'gzip' | 'br'](answer.bytes);
    expect(JSON.parse(body.toString())).toEqual(JSON.parse(plain.bytes.toString()));
    if (coding !== undefined) expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2);
  });

  test('has the same headers for HEAD as for GET', async () => {
    const [get, head] = [await askConsole(long, 'gzip'), await askConsole(long, 'gzip', 'HEAD')];
    expect(head.bytes).toHaveLength(0);
    for (const name of ['content-encoding', 'content-length', 'content-type', 'vary'] as const)
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
  });

  test('is compressed when it is a problem, too', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`unknown${index}`, 1]));
    const answer = await ask(
      `${service.urls.sandbox}/v1/customers/acct-1`,
      {
        Authorization: `Bearer ${sandboxKey}`,
        'Content-Type': 'application/json',
        'Accept-Encoding': 'gzip',
      },
      { method: 'PUT', body: { metadata: unknown, ...unknown } },
    );
    expect([answer.status, answer.headers['content-encoding']]).toEqual([400, 'gzip']);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(gunzipSync(answer.bytes).toString())).toMatchObject({ code: 'validation_failed' });
  });
});

test('a short answer is sent as it is, and says that a longer one would differ', async () => {
  const answer = await askConsole(short, 'gzip');
  expect([answer.status, answer.headers['content-encoding']]).toEqual([200, undefined]);
  expect(answer.headers['vary']).toContain('Accept-Encoding');
  expect(JSON.parse(answer.bytes.toString())).toEqual({ data: [], hasMore: false });
});

test('check and track are never compressed, refused or not', async () => {
  const customer = await createCustomer(client, `acct-${'x'.repeat(200)}`);
  const feature = await createFeature(client);
  for (const operation of ['check', 'track']) {
    const answer = await ask(
      `${service.urls.sandbox}/v1/usage/${operation}`,
      {
        Authorization: `Bearer ${sandboxKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'once',
        'Accept-Encoding': 'gzip, br',
      },
      { method: 'POST', body: { externalId: customer.externalId, feature, quantity: 1 } },
    );
    expect([operation, answer.status]).toEqual([operation, operation === 'check' ? 200 : 403]);
    expect([answer.headers['content-encoding'], answer.headers['vary']]).toEqual([undefined, undefined]);
  }
});

test('an answer with secrets is sent as it is, however long', async () => {
  const planReferences = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`plan-${index}`, `price_${index}`]),
  );
  const created = await client.post('/api/provider-connections', {
    headers: { 'Accept-Encoding': 'gzip' },
    body: {
      provider: 'provider_a',
      displayName: 'A',
      settings: { planReferences },
    },
  });
  expect(created.status).toBe(201);
  expect(JSON.stringify(created.body).length).toBeGreaterThan(1_500);
  expect(created.headers.get('content-encoding')).toBeNull();
});

test('every route whose answer holds a secret says so, and the two of the hot path', () => {
  const routes = [...routesOf((services) => apiRoutes(services, 'sandbox')), ...routesOf(consoleRoutes)];
  const documents = [
    openApiDocument(
      'api',
      routesOf((services) => apiRoutes(services, 'sandbox')),
      [],
    ),
    openApiDocument('console', routesOf(consoleRoutes), []),
  ];
  const secret = /^(?:secrets?|token|link|password|publicSecrets)$/;
  const holding = documents.flatMap((document) =>
    Object.values(document.paths ?? {}).flatMap((methods) =>
      Object.values(methods as Record<string, { operationId: string; responses: object }>)
        .filter(({ responses }) => [...membersIn(document, responses)].some((name) => secret.test(name)))
        .map(({ operationId }) => operationId),
    ),
  );
  const named = routes.filter(({ compress }) => compress === false).map(({ operationId }) => operationId);
  expect(holding).toEqual(
    expect.arrayContaining(['createApiKey', 'inviteMember', 'createProviderConnection']),
  );
  const needed = [...holding, 'checkUsage', 'trackUsage', 'logIn', 'changePassword', 'acceptInvitation'];
  expect(needed.filter((operationId) => !named.includes(operationId))).toEqual([]);
});

/** Yields the names of all members of an operation's answer. */
function* membersIn(document: object, value: unknown, seen = new Set<string>()): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  const { $ref, properties } = value as { $ref?: string; properties?: object };
  if ($ref !== undefined && !seen.has($ref)) {
    seen.add($ref);
    const target = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
    yield* membersIn(document, target, seen);
  }
  yield* Object.keys(properties ?? {});
  for (const member of Object.values(value)) yield* membersIn(document, member, seen);
}

test('the stream of events is not compressed: an event is there when it is sent', async () => {
  const address = `${service.urls.console}/api/developer-events/stream?organizationId=${client.workspaceId}&env=sandbox`;
  const headers = { Cookie: client.cookie, 'Accept-Encoding': 'gzip, br', Accept: 'text/event-stream' };
  const outgoing = request(address, { headers });
  outgoing.end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, undefined]);
  const [first] = (await once(answer, 'data')) as [Buffer];
  expect(first.toString()).toContain('retry:');
  outgoing.destroy();
});

describe('pages and their assets', () => {
  test.each(['/openapi.json', '/docs/errors', '/docs/assets/swagger-ui-bundle.js'])(
    '%s is compressed, the same each time',
    async (path) => {
      const plain = await askConsole(path, undefined);
      for (const coding of ['gzip', 'br', 'gzip']) {
        const answer = await askConsole(path, coding);
        expect([answer.status, answer.headers['content-encoding']]).toEqual([200, coding]);
        expect(answer.headers['vary']).toContain('Accept-Encoding');
        expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
        const read = coding === 'br' ? brotliDecompressSync : gunzipSync;
        expect(read(answer.bytes).equals(plain.bytes)).toBe(true);
      }
    },
  );

  test('what a browser already has is not sent again', async () => {
    const path = '/docs/assets/swagger-ui.css';
    const first = await askConsole(path, 'gzip');
    const again = await ask(service.urls.console + path, {
      'Accept-Encoding': 'gzip',
      'If-Modified-Since': first.headers['last-modified'],
    });
    expect([again.status, again.bytes.length, again.headers['content-encoding']]).toEqual([
      304,
      0,
      undefined,
    ]);
    expect(again.headers['vary']).toContain('Accept-Encoding');
  });
});
