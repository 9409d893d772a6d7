import { createHmac } from 'node:crypto';
import { createServer, request, type IncomingMessage } from 'node:http';
import { connect, fakeSecret } from '../connections/connection-calls';
import { createTestAdapters } from '../support/adapters';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService } from '../support/service';
import { listenLocally } from '../support/listen-locally';
import { useStarted } from '../support/use-started';

/** Requests that provider B received, and the event it has sent. */
const b = {
  requests: [] as { authorization: string; text: string }[],
  sent: '',
  webhookId: 'WHFAKE0000000001',
};
const providerB = createServer((incoming, response) => {
  void answerAsB(incoming).then((text) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);
  });
});
const service = useStarted(async () => {
  const port = await listenLocally(providerB);
  return startTestService({
    providerAdapters: createTestAdapters(),
    providerUrls: { provider_b: `http://127.0.0.1:${port}` },
  });
});
let operator: OperatorClient;
let other: OperatorClient;
beforeAll(async () => {
  operator = await logIn(service, { role: 'admin' });
  other = await logIn(service, { role: 'admin' });
});
afterAll(() => {
  providerB.close();
});

/** Answers as B does: SUCCESS only for exactly the bytes that it has sent to this webhook. */
async function answerAsB(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  if (incoming.url === '/v1/oauth2/token') {
    return JSON.stringify({ access_token: 'fake-token', token_type: 'Bearer', expires_in: 3600 });
  }
  b.requests.push({ authorization: incoming.headers.authorization ?? '', text });
  const right = text.endsWith(`"webhook_event":${b.sent}}`) && text.includes(`"webhook_id":"${b.webhookId}"`);
  return JSON.stringify({ verification_status: right ? 'SUCCESS' : 'FAILURE' });
}

interface Attempt {
  bytes?: string;
  /** Names and values, repeated as often as they are sent. */
  headers: [string, string][];
  host?: 'sandbox' | 'production';
}

/** Sends with node's own client, which can send a header twice. */
async function post(
  provider: string,
  connection: string,
  attempt: Required<Omit<Attempt, 'host'>> & Attempt,
) {
  const url = new URL(
    `/v1/webhooks/${provider}?connection=${connection}`,
    service.urls[attempt.host ?? 'sandbox'],
  );
  return new Promise<{ status: number; body: Record<string, unknown> }>((resolve, reject) => {
    const sent = request(url, { method: 'POST' }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>;
        resolve({ status: answer.statusCode ?? 0, body });
      });
    });
    sent.on('error', reject);
    const names = new Set(attempt.headers.map(([name]) => name));
    for (const name of names) {
      sent.setHeader(
        name,
        attempt.headers.filter(([one]) => one === name).map(([, value]) => value),
      );
    }
    sent.end(attempt.bytes);
  });
}

async function attemptsOf(connection: string): Promise<number> {
  const [row] = await service.database.query<{ attempts: number }>(
    `SELECT (SELECT coalesce(sum(count), 0) FROM tollgate.webhook_failures WHERE connection_id = $1)::int
          + (SELECT coalesce(sum(count), 0) FROM tollgate.platform_audit WHERE action = 'webhook.refused')::int AS attempts`,
    [connection],
  );
  return row?.attempts ?? 0;
}

async function acceptedBy(connection: string): Promise<number> {
  return (
    await service.database.query('SELECT id FROM tollgate.webhook_events WHERE connection_id = $1', [
      connection,
    ])
  ).length;
}

/** Sends each attempt; none may be accepted, and each must be audited by the time it is answered. */
async function expectAllRefused(
  provider: string,
  connection: string,
  bytes: string,
  attempts: Record<string, Attempt>,
) {
  const accepted = await acceptedBy(connection);
  for (const [name, attempt] of Object.entries(attempts)) {
    const before = await attemptsOf(connection);
    const answer = await post(provider, connection, { bytes, ...attempt });
    expect([name, answer.status, answer.body['code']]).toEqual([name, 400, 'webhook_signature_invalid']);
    expect([name, await attemptsOf(connection)]).toEqual([name, before + 1]);
  }
  expect(await acceptedBy(connection)).toBe(accepted);
}

describe('provider A: HMAC-SHA-256 over the time and the bytes', () => {
  const bytes =
    '{"id":"evt_fake_1","object":"event","type":"customer.created",  "livemode":false,"created":1,"data":{"object":{"object":"customer","id":"cus_fake"}}}';
  const now = () => Math.floor(Date.now() / 1000);
  const mac = (secret: string, text: string, at: number) =>
    createHmac('sha256', secret).update(`${at}.${text}`).digest('hex');
  const signed = (secret: string, text = bytes, at = now()): [string, string] => [
    'Stripe-Signature',
    `t=${at},v1=${mac(secret, text, at)}`,
  ];

  test('accepts its own, also with the secret that is being replaced, and refuses every other', async () => {
    const [secret, old, foreign] = [fakeSecret('whsec_'), fakeSecret('whsec_'), fakeSecret('whsec_')];
    const connection = await connect(operator, {
      secrets: { secretKey: fakeSecret('sk_test_'), webhookSecret: `${secret},${old}` },
    });
    await connect(other, { secrets: { secretKey: fakeSecret('sk_test_'), webhookSecret: foreign } });
    for (const one of [secret, old]) {
      expect((await post('provider_a', connection, { bytes, headers: [signed(one)] })).status).toBe(200);
    }
    const [, header] = signed(secret);
    await expectAllRefused('provider_a', connection, bytes, {
      'another secret': { headers: [signed('whsec_fake_other')] },
      'another workspace’s secret': { headers: [signed(foreign)] },
      'no header': { headers: [] },
      'an empty header': { headers: [['Stripe-Signature', '']] },
      'a truncated signature': { headers: [['Stripe-Signature', header.slice(0, -1)]] },
      'the header twice': { headers: [signed(secret), signed(secret)] },
      'a body that was parsed and written anew': {
        bytes: JSON.stringify(JSON.parse(bytes)),
        headers: [signed(secret)],
      },
      'an appended byte': { bytes: `${bytes}\n`, headers: [signed(secret)] },
      'a truncated body': { bytes: bytes.slice(0, -1), headers: [signed(secret)] },
      'ten minutes old': { headers: [signed(secret, bytes, now() - 600)] },
      'ten minutes ahead': { headers: [signed(secret, bytes, now() + 600)] },
      'only the old scheme': { headers: [['Stripe-Signature', header.replace('v1=', 'v0=')]] },
      'the production host': { headers: [signed(secret)], host: 'production' },
    });
  });
});

describe('provider C: HMAC-SHA-512 over the bytes', () => {
  const bytes =
    '{"event":"customeridentification.success","data":{"domain":"test","id":1.0,"url":"https:\\/\\/x"}}';
  const signed = (secret: string, text = bytes): [string, string] => [
    'X-Paystack-Signature',
    createHmac('sha512', secret).update(text).digest('hex'),
  ];

  test('accepts its own and refuses every other', async () => {
    const [secret, foreign] = [fakeSecret('sk_test_'), fakeSecret('sk_test_')];
    const connection = await connect(operator, { provider: 'provider_c', secrets: { secretKey: secret } });
    await connect(other, { provider: 'provider_c', secrets: { secretKey: foreign } });
    expect((await post('provider_c', connection, { bytes, headers: [signed(secret)] })).status).toBe(200);
    const rewritten = JSON.stringify(JSON.parse(bytes));
    await expectAllRefused('provider_c', connection, bytes, {
      'another secret': { headers: [signed('sk_test_fake_other')] },
      'another workspace’s secret': { headers: [signed(foreign)] },
      'no header': { headers: [] },
      'an empty header': { headers: [['X-Paystack-Signature', '']] },
      'a truncated signature': { headers: [['X-Paystack-Signature', signed(secret)[1].slice(0, -2)]] },
      'the header twice': { headers: [signed(secret), signed(secret)] },
      'a signature of the body written anew': { headers: [signed(secret, rewritten)] },
      'a body that was parsed and written anew': { bytes: rewritten, headers: [signed(secret)] },
      'an appended byte': { bytes: `${bytes} `, headers: [signed(secret)] },
      'a truncated body': { bytes: bytes.slice(0, -1), headers: [signed(secret)] },
      'the production host': { headers: [signed(secret)], host: 'production' },
    });
  });
});

describe('provider B: asked server to server', () => {
  const bytes =
    '{"id":"WH-fake-1","event_version":"1.0","create_time":"2026-01-31T00:00:00Z","event_type":"CATALOG.PRODUCT.CREATED","resource":{"amount":10.0,"url":"https:\\/\\/x"}}';
  const headers: [string, string][] = [
    ['PayPal-Transmission-Id', 'fake-transmission'],
    ['PayPal-Transmission-Time', new Date().toISOString()],
    ['PayPal-Transmission-Sig', 'c2lnbmF0dXJl'],
    ['PayPal-Cert-Url', 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-fake'],
    ['PayPal-Auth-Algo', 'SHA256withRSA'],
  ];

  test('with the bytes unchanged, the headers and the configured webhook id; whatever a header says is no secret', async () => {
    const credentials = { clientId: fakeSecret('client-'), clientSecret: fakeSecret('secret-') };
    const webhookSecret = fakeSecret('legacy-');
    const secrets = { ...credentials, webhookId: b.webhookId, webhookSecret };
    const connection = await connect(operator, { provider: 'provider_b', secrets });
    b.sent = bytes;
    expect((await post('provider_b', connection, { bytes, headers })).status).toBe(200);
    expect(b.requests).toHaveLength(1);
    expect(b.requests[0]?.text.endsWith(`"webhook_event":${bytes}}`)).toBe(true);
    expect(b.requests[0]?.text).not.toContain(webhookSecret);
    const without = (name: string) => headers.filter(([one]) => one !== name);
    await expectAllRefused('provider_b', connection, bytes, {
      'a body that was parsed and written anew': { bytes: JSON.stringify(JSON.parse(bytes)), headers },
      'another body': { bytes: bytes.replace('10.0', '99.0'), headers },
      'no signature': { headers: without('PayPal-Transmission-Sig') },
      'the stored secret as a header': {
        headers: [...without('PayPal-Transmission-Sig'), ['PayPal-Webhook-Secret', webhookSecret]],
      },
      'a header twice': { headers: [...headers, ['PayPal-Transmission-Id', 'fake-other']] },
    });
    const wrong = { ...credentials, webhookId: 'WHFAKE0000000002' };
    const elsewhere = await connect(operator, { provider: 'provider_b', secrets: wrong });
    await expectAllRefused('provider_b', elsewhere, bytes, { 'another webhook id': { headers } });
  });
});
