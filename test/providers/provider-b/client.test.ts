import { createServer, type IncomingMessage, type Server } from 'node:http';
import { addressOf } from '../../../src/providers/provider-b/address';
import { createProviderB } from '../../../src/providers/provider-b/adapter';
import { accessTo } from './simulated-provider-b';
import { listenLocally } from '../../support/listen-locally';

interface Reply {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** A provider that answers as each test says and records the requests. */
let server: Server;
let url: string;
let requests: { path: string; authorization: string; userAgent: string | undefined }[];
let reply: (request: IncomingMessage) => Reply;
let tokens: number;

const subscription = { status: 200, body: '{"id":"I-1","status":"ACTIVE"}' };

beforeEach(async () => {
  requests = [];
  tokens = 0;
  reply = () => subscription;
  server = createServer((request, response) => {
    const path = request.url ?? '';
    const { authorization = '', 'user-agent': userAgent } = request.headers;
    requests.push({ path, authorization, userAgent });
    const { status, body, headers } =
      path === '/v1/oauth2/token' ? tokenReply(authorization) : reply(request);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  const port = await listenLocally(server);
  url = `http://127.0.0.1:${port}`;
});
afterEach(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    }),
);

function tokenReply(basic: string): Reply {
  tokens += 1;
  const [client = ''] = Buffer.from(basic.slice(6), 'base64').toString().split(':');
  return { status: 200, body: JSON.stringify({ access_token: `${client}-${tokens}`, expires_in: 3600 }) };
}

function adapterAt(now: () => number = Date.now): ReturnType<typeof createProviderB> {
  return createProviderB({ now });
}

const withSecret = (clientId: string): { secrets: Record<string, string> } => ({
  secrets: { clientId, clientSecret: 'not-a-real-secret-b2f1' },
});

describe('the client of provider B', () => {
  it('takes one token for many calls at once', async () => {
    const adapter = adapterAt();
    await Promise.all(Array.from({ length: 10 }, () => adapter.fetchSubscription(accessTo(url), 'I-1')));
    expect([tokens, requests.length]).toEqual([1, 11]);
  });

  it('names itself in each request', async () => {
    await adapterAt().fetchSubscription(accessTo(url), 'I-1');
    expect(requests.map(({ userAgent }) => userAgent)).toEqual(['Tollgate', 'Tollgate']);
  });

  it('takes another token for another connection, another version of the secrets, and after its time', async () => {
    let now = 1_000_000;
    const adapter = adapterAt(() => now);
    const read = async (changes: Parameters<typeof accessTo>[1]): Promise<string | undefined> => {
      await adapter.fetchSubscription(accessTo(url, changes), 'I-1');
      return requests.at(-1)?.authorization;
    };
    const one = { connectionId: 'conn_1', ...withSecret('one') };
    expect(await read(one)).toBe('Bearer one-1');
    expect(await read({ connectionId: 'conn_2', ...withSecret('two') })).toBe('Bearer two-2');
    expect(await read(one)).toBe('Bearer one-1');
    expect(await read({ ...one, secretVersion: 2, ...withSecret('new') })).toBe('Bearer new-3');
    now += 3_539_000;
    expect(await read({ ...one, secretVersion: 2 })).toBe('Bearer new-3');
    now += 1_000;
    expect(await read({ ...one, secretVersion: 2, ...withSecret('new') })).toBe('Bearer new-4');
  });

  it('takes a new token after a 401, once', async () => {
    const adapter = adapterAt();
    await adapter.fetchSubscription(accessTo(url), 'I-1');
    reply = ({ headers }) =>
      headers.authorization?.endsWith('-1') === true
        ? {
            status: 401,
            body: '{"error":"invalid_token","error_description":"Token signature verification failed"}',
          }
        : subscription;
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => adapter.fetchSubscription(accessTo(url), 'I-1')),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => 'done'));
    expect(tokens).toBe(2);

    reply = () => ({ status: 401, body: '{"error":"invalid_token"}' });
    requests = [];
    expect(await adapter.fetchSubscription(accessTo(url), 'I-1')).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('invalid_token') as string,
    });
    expect(requests.map(({ path }) => path)).toEqual([
      '/v1/billing/subscriptions/I-1?fields=last_failed_payment',
      '/v1/oauth2/token',
      '/v1/billing/subscriptions/I-1?fields=last_failed_payment',
    ]);
  });

  it('does not follow a redirect with its token', async () => {
    reply = () => ({ status: 302, body: '', headers: { location: `${url}/elsewhere` } });
    expect(await adapterAt().fetchSubscription(accessTo(url), 'I-1')).toMatchObject({ kind: 'unknown' });
    expect(requests.map(({ path }) => path)).not.toContain('/elsewhere');
  });

  it.each([
    ['{"id":"I-1","status":"SLEEPING"}', 'status'],
    ['{"id":"I-1","status":"ACTIVE","quantity":"many"}', 'quantity'],
    [
      '{"id":"I-1","status":"ACTIVE","billing_info":{"next_billing_time":"soon"}}',
      'billing_info.next_billing_time',
    ],
    ['<html>', 'body'],
    ['', 'body'],
  ])('says where the answer %j is of an unknown shape, with the debug id', async (body, place) => {
    reply = () => ({ status: 200, body, headers: { 'paypal-debug-id': 'f1e2d3c4b5a69' } });
    const outcome = await adapterAt().fetchSubscription(accessTo(url), 'I-1');
    expect(outcome.kind).toBe('unknown');
    expect(JSON.stringify(outcome)).toContain(`(${place}: `);
    expect(JSON.stringify(outcome)).toContain('debug id f1e2d3c4b5a69');
  });

  it('quotes a long refusal without the part of a secret at which it is cut', async () => {
    const { secrets } = accessTo(url);
    const message = `${'x'.repeat(290)} ${String(secrets['clientSecret'])}`;
    reply = () => ({ status: 429, body: JSON.stringify({ name: 'RATE_LIMIT_REACHED', message }) });
    const outcome = await adapterAt().fetchSubscription(accessTo(url), 'I-1');
    expect(JSON.stringify(outcome)).toContain('xxx ••••');
    expect(JSON.stringify(outcome)).not.toContain(message.slice(285, 295));
  });

  it('takes numbers for numbers in text, and passes over what it does not know', async () => {
    const body = '{"id":"I-1","status":"ACTIVE","quantity":4,"unknown":{"x":[1.0]},"plan_id":null}';
    reply = () => ({ status: 200, body });
    expect(await adapterAt().fetchSubscription(accessTo(url), 'I-1')).toMatchObject({
      kind: 'done',
      value: { quantity: 4, planReference: null },
    });
  });

  it.each([
    { time: '2026-04-20' },
    { time: 1_790_000_000 },
    { time: '2026-04-20T10:00:00Z', next_payment_retry_time: 'soon' },
    'PAYMENT_DENIED',
  ])('does not take a failed payment that it cannot read for none: %j', async (failure) => {
    const billing = {
      last_payment: { time: '2026-03-20T10:00:00Z' },
      failed_payments_count: 0,
      next_billing_time: '2026-05-20T10:00:00Z',
      outstanding_balance: { value: '0.00', currency_code: 'USD' },
      last_failed_payment: failure,
    };
    const body = JSON.stringify({ id: 'I-1', status: 'ACTIVE', billing_info: billing });
    reply = () => ({ status: 200, body });
    expect((await adapterAt().fetchSubscription(accessTo(url), 'I-1')).kind).toBe('unknown');
    // It does not hide that the subscription has ended.
    reply = () => ({ status: 200, body: body.replace('ACTIVE', 'CANCELLED') });
    const ended = await adapterAt().fetchSubscription(accessTo(url), 'I-1');
    expect(ended).toMatchObject({ kind: 'done', value: { status: 'cancelled' } });
    expect(ended).not.toHaveProperty('value.forgivenAt');
  });

  it.each([
    [400, 'declined'],
    [404, 'declined'],
    [422, 'declined'],
    [403, 'unknown'],
    [408, 'unknown'],
    [409, 'unknown'],
    [429, 'unknown'],
    [503, 'unknown'],
  ])('takes %i for %s', async (status, kind) => {
    reply = () => ({ status, body: '{"name":"NAME","message":"Words.","debug_id":"d1"}' });
    const outcome = await adapterAt().fetchSubscription(accessTo(url), 'I-1');
    expect(outcome.kind).toBe(kind);
    expect(JSON.stringify(outcome)).toContain('debug id d1');
  });

  it('goes to the address of the connection’s own mode when there is no override', () => {
    const access = accessTo(url);
    delete access.baseUrl;
    expect(addressOf(access)).toBe('https://api-m.sandbox.paypal.com');
    expect(addressOf({ ...access, apiMode: 'live' })).toBe('https://api-m.paypal.com');
  });
});
