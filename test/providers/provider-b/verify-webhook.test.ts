import { DAY_MS } from '../../../src/domain/instant';
import type { WebhookVerdict } from '../../../src/providers/provider-adapter';
import { createProviderB } from '../../../src/providers/provider-b/adapter';
import {
  accessTo,
  CLIENT_ID,
  CLIENT_SECRET,
  startSimulatedProviderB,
  WEBHOOK_ID,
  type Arrived,
  type SimulatedProviderB,
} from './simulated-provider-b';

const adapter = createProviderB({ now: Date.now });
const TIME = 'paypal-transmission-time';

let b: SimulatedProviderB;
let arrived: Arrived;
/** Paths requested from the simulator. */
let requests: string[];

beforeEach(async () => {
  b = await startSimulatedProviderB();
  b.account.send({
    type: 'PAYMENT.SALE.COMPLETED',
    resourceType: 'sale',
    summary: 'Payment completed for 10.0 USD',
    resource: { id: 'SALE1', note: 'é', amount: { total: '10.0', currency: 'USD' } },
  });
  const [first] = await b.webhooks();
  if (first === undefined) throw new Error('No webhook came.');
  arrived = first;
  requests = [];
  const { faults } = b.core;
  const next = faults.next.bind(faults);
  faults.next = (provider, path) => {
    requests.push(path);
    return next(provider, path);
  };
});
afterEach(() => b.stop());

function verify(changes: {
  raw?: Buffer;
  header?: Record<string, string | string[] | undefined>;
  rawHeaders?: string[];
  secrets?: Record<string, string>;
  now?: number;
  timeoutMs?: number;
}): Promise<WebhookVerdict> {
  const secrets = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, webhookId: WEBHOOK_ID };
  return adapter.verifyWebhook(
    accessTo(b.url, {
      ...(changes.timeoutMs !== undefined && { timeoutMs: changes.timeoutMs }),
      connectionId: `conn_${String(requests.length)}`,
      secrets: changes.secrets ?? secrets,
    }),
    {
      bytes: changes.raw ?? arrived.raw,
      headers: { ...arrived.headers, ...changes.header },
      rawHeaders: changes.rawHeaders ?? arrived.rawHeaders,
      receivedAt: changes.now ?? Date.now(),
    },
  );
}

describe('the verification of provider B’s webhooks', () => {
  it('accepts what B sent, byte for byte, and every time', async () => {
    expect(await verify({})).toBe('valid');
    expect(await verify({})).toBe('valid');
    expect(await verify({ now: Date.now() + 30 * DAY_MS })).toBe('valid');
  });

  it.each<[string, Record<string, string>]>([
    ['a legacy webhook secret only', { webhookSecret: 'not-a-real-webhook-secret' }],
    ['no webhook id', { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }],
    ['an empty webhook id', { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, webhookId: '' }],
    ['no client secret', { clientId: CLIENT_ID, webhookId: WEBHOOK_ID }],
    ['no client id', { clientSecret: CLIENT_SECRET, webhookId: WEBHOOK_ID }],
  ])('is incomplete with %s, and makes no call', async (_, secrets) => {
    expect(await verify({ secrets })).toBe('incomplete');
    expect(requests).toEqual([]);
  });

  const change = (from: string, to: string) => (raw: Buffer) => {
    const text = raw.toString();
    expect(text).toContain(from);
    return Buffer.from(text.replace(from, to));
  };
  it.each<[string, (raw: Buffer) => Buffer]>([
    ['another amount', change('"10.0"', '"99.0"')],
    ['an appended blank', (raw) => Buffer.concat([raw, Buffer.from(' ')])],
    ['an appended line end', (raw) => Buffer.concat([raw, Buffer.from('\n')])],
    ['a byte order mark', (raw) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), raw])],
    ['its end cut off', (raw) => raw.subarray(0, -1)],
    ['nothing in it', () => Buffer.alloc(0)],
    ['the text written anew', (raw) => Buffer.from(JSON.stringify(JSON.parse(raw.toString())))],
    [
      'a byte that is no UTF-8',
      (raw) => Buffer.concat([raw.subarray(0, -1), Buffer.from([0xff]), raw.subarray(-1)]),
    ],
  ])('refuses a body with %s', async (_, changed) => {
    expect(await verify({ raw: changed(arrived.raw) })).toBe('invalid');
  });

  it('refuses a body that would add members to the question, and asks nobody', async () => {
    const smuggled = Buffer.concat([arrived.raw, Buffer.from(`,"webhook_event":`), arrived.raw]);
    expect(await verify({ raw: smuggled })).toBe('invalid');
    const closed = Buffer.concat([arrived.raw, Buffer.from(`,"webhook_id":{}`)]);
    expect(await verify({ raw: closed })).toBe('invalid');
    expect(requests).toEqual([]);
  });

  it.each([
    'paypal-auth-algo',
    'paypal-cert-url',
    'paypal-transmission-id',
    'paypal-transmission-sig',
    'paypal-transmission-time',
  ])('refuses a webhook whose %s is missing, empty or doubled, and asks nobody', async (name) => {
    const value = String(arrived.headers[name]);
    expect(await verify({ header: { [name]: undefined } })).toBe('invalid');
    expect(await verify({ header: { [name]: '' } })).toBe('invalid');
    expect(await verify({ header: { [name]: [value, value] } })).toBe('invalid');
    expect(await verify({ header: { [name]: `${value}, ${value}` } })).toBe('invalid');
    expect(await verify({ rawHeaders: [...arrived.rawHeaders, name.toUpperCase(), value] })).toBe('invalid');
    expect(requests).toEqual([]);
  });

  it.each([
    ['another signature', { 'paypal-transmission-sig': Buffer.from('x'.repeat(256)).toString('base64') }],
    ['another id', { 'paypal-transmission-id': 'a0000000-0000-4000-8000-000000000000' }],
    ['an older time', { [TIME]: '2020-01-01T00:00:00Z' }],
    ['no time', { [TIME]: 'yesterday' }],
    ['a time to come', { [TIME]: '2099-01-01T00:00:00Z' }],
  ])('refuses a webhook with %s', async (_, header) => {
    expect(await verify({ header })).toBe('invalid');
  });

  it('refuses what B signed in the future of our clock', async () => {
    expect(await verify({ now: Date.now() - 11 * 60_000 })).toBe('invalid');
    expect(await verify({ now: Date.now() - 9 * 60_000 })).toBe('valid');
  });

  it('refuses what was sent to another client’s webhook, or verified with another client’s credentials', async () => {
    b.b.account({
      clientId: 'another-client',
      clientSecret: 'not-real-either',
      webhooks: [{ id: 'OTHERWEBHOOK1', url: b.url }],
    });
    const other = { clientId: 'another-client', clientSecret: 'not-real-either' };
    expect(await verify({ secrets: { ...other, webhookId: 'OTHERWEBHOOK1' } })).toBe('invalid');
    expect(await verify({ secrets: { ...other, webhookId: WEBHOOK_ID } })).toBe('invalid');
  });

  it('fails closed when B does not answer, answers with an error, or does not know the client', async () => {
    const path = '/v1/notifications/verify-webhook-signature';
    b.core.faults.set({ provider: 'b', path, fault: 'answer_500', times: 1 });
    expect(await verify({})).toBe('unavailable');
    b.core.faults.set({ provider: 'b', path, fault: 'cut_after_commit', times: 1 });
    expect(await verify({})).toBe('unavailable');
    b.core.faults.set({ provider: 'b', path, fault: 'slow', times: 1, delayMs: 5_000 });
    expect(await verify({ timeoutMs: 500 })).toBe('unavailable');
    b.core.faults.set({ provider: 'b', path: '/v1/oauth2', fault: 'answer_500', times: 1 });
    expect(await verify({})).toBe('unavailable');
    const secrets = { clientId: CLIENT_ID, clientSecret: 'wrong', webhookId: WEBHOOK_ID };
    expect(await verify({ secrets })).toBe('unavailable');
    expect(await verify({})).toBe('valid');
  });
});
