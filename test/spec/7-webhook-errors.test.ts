import { createServer } from 'node:http';
import { connect, fakeSecret } from '../connections/connection-calls';
import { createTestAdapters } from '../support/adapters';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService } from '../support/service';
import { listenLocally } from '../support/listen-locally';
import { useStarted } from '../support/use-started';

let calls = 0;
const provider = createServer((_, response) => {
  calls += 1;
  response.writeHead(503).end();
});
const service = useStarted(async () => {
  const port = await listenLocally(provider);
  return startTestService({
    providerAdapters: createTestAdapters(),
    providerUrls: { provider_b: `http://127.0.0.1:${port}` },
  });
});
let operator: OperatorClient;
beforeAll(async () => {
  operator = await logIn(service, { role: 'admin' });
});
afterAll(() => {
  provider.close();
});

const transmission = {
  'PayPal-Transmission-Id': 'transmission-fake',
  'PayPal-Transmission-Time': new Date().toISOString(),
  'PayPal-Transmission-Sig': 'c2lnbmF0dXJl',
  'PayPal-Cert-Url': 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-fake',
  'PayPal-Auth-Algo': 'SHA256withRSA',
};

async function post(path: string, headers: Record<string, string>) {
  const body = JSON.stringify({ id: 'WH-fake-1', event_type: 'BILLING.SUBSCRIPTION.UPDATED', resource: {} });
  const answer = await fetch(`${service.urls.sandbox}/v1/webhooks/${path}`, {
    method: 'POST',
    headers,
    body,
  });
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as Record<string, unknown>,
  };
}

async function failures(connection: string): Promise<unknown[]> {
  return service.database.query(
    'SELECT kind, count FROM tollgate.webhook_failures WHERE connection_id = $1',
    [connection],
  );
}

test.each([
  ['only a webhook secret', { webhookSecret: 'fake-webhook-secret-of-nobody' }],
  ['no webhook id', { clientId: 'fake-client-of-nobody', clientSecret: 'fake-secret-of-nobody-1' }],
])('provider B with %s fails closed, is audited, and asks nobody', async (_, secrets) => {
  const connection = await connect(operator, { provider: 'provider_b', secrets });
  const before = calls;
  const answer = await post(`provider_b?connection=${connection}`, transmission);
  expect([answer.status, answer.body['code']]).toEqual([503, 'webhook_unverifiable']);
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(calls).toBe(before);
  expect(await failures(connection)).toEqual([{ kind: 'unavailable', count: '1' }]);
});

test('provider B that cannot be asked is audited, and the webhook may come again', async () => {
  const secrets = {
    clientId: fakeSecret('client-'),
    clientSecret: fakeSecret('secret-'),
    webhookId: 'WHFAKE0000000001',
  };
  const connection = await connect(operator, { provider: 'provider_b', secrets });
  const before = calls;
  const answer = await post(`provider_b?connection=${connection}`, transmission);
  expect([answer.status, answer.body['code']]).toEqual([503, 'webhook_unverifiable']);
  expect(calls).toBeGreaterThan(before);
  expect(await failures(connection)).toEqual([{ kind: 'unavailable', count: '1' }]);
});

test('provider B is asked about no webhook that names no connection and lacks a header', async () => {
  const before = calls;
  for (const missing of Object.keys(transmission)) {
    const headers = Object.fromEntries(Object.entries(transmission).filter(([name]) => name !== missing));
    const answer = await post('provider_b', headers);
    expect([missing, answer.status, answer.body['code']]).toEqual([
      missing,
      400,
      'webhook_signature_invalid',
    ]);
  }
  expect(calls).toBe(before);
  const audited = await service.database.query(
    `SELECT sum(count)::int AS attempts FROM tollgate.platform_audit WHERE action = 'webhook.refused'`,
  );
  expect(audited).toEqual([{ attempts: 5 }]);
});

test('an invalid signature is a problem with its code, after the audit', async () => {
  const secrets = { secretKey: fakeSecret('sk_test_'), webhookSecret: fakeSecret('whsec_') };
  const connection = await connect(operator, { secrets });
  const answer = await post(`provider_a?connection=${connection}`, {
    'Stripe-Signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
  });
  expect([answer.status, answer.body['code']]).toEqual([400, 'webhook_signature_invalid']);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(await failures(connection)).toEqual([{ kind: 'signature', count: '1' }]);
});
