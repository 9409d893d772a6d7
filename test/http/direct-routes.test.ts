import { request, type IncomingHttpHeaders } from 'node:http';
import { UsageWorkspace } from '../support/usage-workspace';
import { useStarted } from '../support/use-started';

const usage = useStarted(() => UsageWorkspace.start());
let externalId: string;
beforeAll(async () => {
  ({ externalId } = await usage.customer({ feature: 'ai_tokens', quota: 10 }));
});

interface Sent {
  path: '/v1/usage/check' | '/v1/usage/track';
  body: string;
  headers?: Record<string, string | undefined>;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** Sends the request with `node:http`: `fetch` hides how a connection ends, and sets headers of its own. */
function send(path: string, { body, headers }: Sent): Promise<Answer> {
  const all: Record<string, string | undefined> = {
    Authorization: `Bearer ${usage.workspace.sandboxKey}`,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const defined = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const { hostname, port } = new URL(usage.service.urls.sandbox);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method: 'POST', path, headers: defined }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => {
        const parsed = JSON.parse(text) as Record<string, unknown>;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed });
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Returns the answer without the parts that differ in every answer. */
function comparable({ status, headers, body }: Answer): unknown {
  const without = (members: object, names: readonly string[]): unknown =>
    Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
  return {
    status,
    headers: without(headers, ['date', 'request-id', 'ratelimit']),
    body: without(body, ['requestId', 'decisionId', 'decision']),
  };
}

const call = (members: object): string =>
  JSON.stringify({ externalId, feature: 'ai_tokens', quantity: 1, ...members });
const check = (members: object, headers?: Sent['headers']): Sent => ({
  path: '/v1/usage/check',
  body: call(members),
  ...(headers === undefined ? {} : { headers }),
});
const track = (members: object, headers: Record<string, string>): Sent => ({
  path: '/v1/usage/track',
  body: call(members),
  headers,
});

// Each request is sent to the route's address and to the same address with a trailing slash, which Koa serves.
test.each<[string, () => Sent, number]>([
  ['a granted check', () => check({}), 200],
  ['a denied check', () => check({ quantity: 11 }), 200],
  ['a replayed track', () => track({}, { 'Idempotency-Key': 'replayed' }), 200],
  ['a denied track', () => track({ quantity: 50 }, { 'Idempotency-Key': 'denied' }), 403],
  ['a track without a key', () => track({}, {}), 400],
  ['a customer who is not there', () => check({ externalId: 'nobody' }), 404],
  ['no credentials', () => check({}, { Authorization: undefined }), 401],
  ['another host’s key', () => check({}, { Authorization: `Bearer ${usage.workspace.productionKey}` }), 401],
  ['an unknown member', () => check({ éxtra: 1 }), 400],
  ['a body that is no JSON', () => ({ path: '/v1/usage/check', body: '{' }), 400],
  ['another type of content', () => check({}, { 'Content-Type': 'text/plain' }), 415],
  ['a compressed body', () => check({}, { 'Content-Encoding': 'gzip' }), 415],
  ['a body that is too large', () => check({ source: 'x'.repeat(20_000) }), 413],
  ['a caller that takes compressed answers', () => check({}, { 'Accept-Encoding': 'gzip, br' }), 200],
])('%s is answered as Koa would answer it', async (_, make, status) => {
  const sent = make();
  // Sent once beforehand, so that both answers are replays.
  if (sent.headers?.['Idempotency-Key'] === 'replayed') await send(sent.path, sent);
  const direct = await send(sent.path, sent);
  const throughKoa = await send(`${sent.path}/`, sent);
  expect(direct.status).toBe(status);
  expect(direct.headers['request-id']).toMatch(/^req_/);
  expect(comparable(direct)).toEqual(comparable(throughKoa));
});

test('a call with a query or another method is refused by Koa', async () => {
  const { status, body } = await send('/v1/usage/check?now=1', check({}));
  expect([status, body['code']]).toEqual([400, 'validation_failed']);
  const { hostname, port } = new URL(usage.service.urls.sandbox);
  const answer = await fetch(`http://${hostname}:${port}/v1/usage/check`);
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});

test('both kinds of routes are measured under their own name', async () => {
  const count = async (route: string): Promise<number> => {
    const text = await usage.service.api.metrics.metrics();
    const line = text
      .split('\n')
      .find((one) => one.includes('_count{') && one.includes(`route="${route}"`) && one.includes('"200"'));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  const before = await count('/v1/usage/check');
  await send('/v1/usage/check', check({}));
  await send('/v1/usage/check/', check({}));
  expect(await count('/v1/usage/check')).toBe(before + 2);
});
