import {
  startSimulatedProviderB,
  WEBHOOK_ID,
  type Arrived,
  type SimulatedProviderB,
} from '../providers/provider-b/simulated-provider-b';

let b: SimulatedProviderB;
beforeEach(async () => {
  b = await startSimulatedProviderB();
});
afterEach(() => b.stop());

const event = {
  type: 'PAYMENT.SALE.COMPLETED',
  resourceType: 'sale',
  summary: 'Payment completed for 10.0 USD',
  resource: {
    id: 'SALE1',
    links: [{ href: 'https://api.sandbox.paypal.com/v1/payments/sale/SALE1', rel: 'self' }],
  },
};

async function arrives(): Promise<Arrived> {
  b.account.send(event);
  const [arrived] = await b.webhooks();
  if (arrived === undefined) throw new Error('No webhook came.');
  return arrived;
}

/** Asks the simulator to verify a webhook, with the event's text unchanged. */
async function verify(
  arrived: Arrived,
  changes: Record<string, string> = {},
  text?: string,
): Promise<unknown> {
  const header = (name: string): string => String(arrived.headers[`paypal-${name}`]);
  const members = {
    auth_algo: header('auth-algo'),
    cert_url: header('cert-url'),
    transmission_id: header('transmission-id'),
    transmission_sig: header('transmission-sig'),
    transmission_time: header('transmission-time'),
    webhook_id: WEBHOOK_ID,
    ...changes,
  };
  const token = await b.call('GET', '/v1/notifications/webhooks');
  expect(token.status).toBe(200);
  const question = `${JSON.stringify(members).slice(0, -1)}, "webhook_event" : ${text ?? arrived.raw.toString()} }`;
  const answer = await fetch(`${b.url}/v1/notifications/verify-webhook-signature`, {
    method: 'POST',
    headers: { authorization: await bearer(), 'content-type': 'application/json' },
    body: question,
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { verification_status: unknown }).verification_status;
}

async function bearer(client = 'client-of-the-test:not-a-real-client-secret'): Promise<string> {
  const answer = await fetch(`${b.url}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(client).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return `Bearer ${((await answer.json()) as { access_token: string }).access_token}`;
}

describe('provider B’s webhooks', () => {
  it('are verified by the bytes that were sent', async () => {
    const arrived = await arrives();
    expect(arrived.raw.toString()).toContain('https:\\/\\/api.sandbox.paypal.com\\/v1\\/payments\\/sale');
    expect(await verify(arrived)).toBe('SUCCESS');
    expect(await verify(arrived)).toBe('SUCCESS');
  });

  it.each<[string, (text: string) => string]>([
    ['written anew', (text) => JSON.stringify(JSON.parse(text))],
    ['with one more blank', (text) => text.replace('{', '{ ')],
    ['with another amount', (text) => text.replace('10.0', '99.0')],
    ['with a member more', (text) => text.replace(/}$/, ',"x":1}')],
  ])('are not verified %s, and the answer is still 200', async (_, change) => {
    const arrived = await arrives();
    const text = change(arrived.raw.toString());
    expect(text).not.toBe(arrived.raw.toString());
    expect(await verify(arrived, {}, text)).toBe('FAILURE');
  });

  it.each([
    { transmission_id: 'a0000000-0000-4000-8000-000000000000' },
    { transmission_time: '2020-01-01T00:00:00Z' },
    { transmission_sig: 'c2lnbmF0dXJl' },
    { transmission_sig: '+2lnbmF0dXJl' },
    { transmission_sig: '/2lnbmF0dXJl' },
    { auth_algo: 'SHA1withRSA' },
    { cert_url: 'https://attacker.example/cert.pem' },
    { webhook_id: 'UNKNOWN' },
  ])('are not verified with %j', async (changes) => {
    expect(await verify(await arrives(), changes)).toBe('FAILURE');
  });

  it('are verified only for the client that the webhook belongs to', async () => {
    b.b.account({
      clientId: 'another-client',
      clientSecret: 'not-real-either',
      webhooks: [{ id: 'OTHERWEBHOOK1', url: b.url }],
    });
    const arrived = await arrives();
    expect(await verify(arrived, { webhook_id: 'OTHERWEBHOOK1' })).toBe('FAILURE');
    const [name] = ['another-client:not-real-either'];
    const answer = await fetch(`${b.url}/v1/notifications/webhooks/${WEBHOOK_ID}`, {
      headers: { authorization: await bearer(name) },
    });
    expect(answer.status).toBe(404);
  });

  it('go only to webhooks that want their type', async () => {
    b.account.webhooks[0] = { id: WEBHOOK_ID, url: b.url, eventTypes: ['PAYMENT.CAPTURE.COMPLETED'] };
    b.account.send(event);
    await b.core.outbox.flush();
    expect(b.core.outbox.deliveries).toEqual([]);
  });

  it('keep their bytes when they are sent again, under a new transmission', async () => {
    const first = await arrives();
    b.core.outbox.resend(first.event.id);
    const [second] = await b.webhooks();
    expect(second?.raw.equals(first.raw)).toBe(true);
    expect(second?.headers['paypal-transmission-id']).not.toBe(first.headers['paypal-transmission-id']);
    if (second !== undefined) expect(await verify(second)).toBe('SUCCESS');
  });
});
