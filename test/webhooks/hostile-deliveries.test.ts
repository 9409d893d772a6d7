import { createHmac, randomUUID } from 'node:crypto';
import { connect, fakeSecret } from '../connections/connection-calls';
import { createTestAdapters } from '../support/adapters';
import { logIn } from '../support/operator';
import { useService } from '../support/use-service';
import { deliver, type RawDelivery } from './raw-delivery';

/** Deliveries that no library would send: bytes and headers made to break something. */
const LARGEST = 512 * 1024;
const secret = { a: fakeSecret('whsec_'), c: fakeSecret('sk_test_') };
const service = useService({
  providerAdapters: createTestAdapters(),
  providerUrls: { provider_b: 'http://127.0.0.1:9' },
});
let [a, b, c] = ['', '', ''];
beforeAll(async () => {
  const operator = await logIn(service, { role: 'admin' });
  a = await connect(operator, { secrets: { secretKey: fakeSecret('sk_test_'), webhookSecret: secret.a } });
  const ofB = { clientId: fakeSecret('client-'), clientSecret: fakeSecret('secret-'), webhookId: 'WHFAKE01' };
  b = await connect(operator, { provider: 'provider_b', secrets: ofB });
  c = await connect(operator, { provider: 'provider_c', secrets: { secretKey: secret.c } });
});

const post = (path: string, delivery: RawDelivery) =>
  deliver(`${service.urls.sandbox}/v1/webhooks/${path}`, delivery);

function signedByA(bytes: Buffer | string, name = 'Stripe-Signature'): [string, string] {
  const at = Math.floor(Date.now() / 1000);
  const mac = createHmac('sha256', secret.a).update(`${at}.`).update(bytes).digest('hex');
  return [name, `t=${at},v1=${mac}`];
}
const signedByC = (bytes: Buffer | string, name = 'X-Paystack-Signature'): [string, string] => [
  name,
  createHmac('sha512', secret.c).update(bytes).digest('hex'),
];
const eventOfA = (members: string): string =>
  `{"id":"evt_${randomUUID()}","object":"event","livemode":false,"created":1,"type":"customer.created",${members}}`;

/** Returns the number of deliveries audited as failed, of the connections and of the platform. */
async function audited(): Promise<number> {
  const [row] = await service.database.query<{ count: number }>(
    `SELECT (SELECT coalesce(sum(count), 0) FROM tollgate.webhook_failures)::int
          + (SELECT coalesce(sum(count), 0) FROM tollgate.platform_audit WHERE action = 'webhook.refused')::int AS count`,
  );
  return row?.count ?? 0;
}

test('a header that comes twice is refused, however each is spelled, and whichever of them is right', async () => {
  const bytes = eventOfA('"data":{}');
  const transmission = ['Id', 'Time', 'Sig'].map((name) => [`PayPal-Transmission-${name}`, 'x'] as const);
  const ofB = [
    ...transmission,
    ['PayPal-Cert-Url', 'https://x'],
    ['PayPal-Auth-Algo', 'SHA256withRSA'],
  ] as const;
  const attempts: [string, RawDelivery['headers']][] = [
    [`provider_a?connection=${a}`, [signedByA(bytes), signedByA(bytes, 'STRIPE-signature')]],
    [`provider_a?connection=${a}`, [signedByA(bytes, 'stripe-signature'), ['Stripe-SIGNATURE', 't=1,v1=0']]],
    [`provider_a?connection=${a}`, [['STRIPE-SIGNATURE', ''], signedByA(bytes)]],
    [`provider_c?connection=${c}`, [signedByC(bytes), signedByC(bytes, 'x-PAYSTACK-signature')]],
    [`provider_c?connection=${c}`, [['X-PAYSTACK-SIGNATURE', 'x'], signedByC(bytes)]],
    [`provider_b?connection=${b}`, [...ofB, ['PAYPAL-TRANSMISSION-ID', 'y']]],
  ];
  const before = await audited();
  for (const [path, headers] of attempts) {
    const { status, body } = await post(path, { bytes, headers });
    expect([path, headers, status, body['code']]).toEqual([path, headers, 400, 'webhook_signature_invalid']);
  }
  expect(await audited()).toBe(before + attempts.length);
  const one = await post(`provider_a?connection=${a}`, {
    bytes,
    headers: [signedByA(bytes, 'STRIPE-signature')],
  });
  expect(one.status).toBe(200);
});

test.each([false, true])(
  'a body of 512 KB is taken, and a byte more is not (in pieces: %s)',
  async (chunked) => {
    const head = eventOfA('"data":{},"pad":"').slice(0, -1);
    const full = `${head}${'x'.repeat(LARGEST - head.length - 2)}"}`;
    expect(full).toHaveLength(LARGEST);
    const path = `provider_a?connection=${a}`;
    const taken = await post(path, { bytes: full, headers: [signedByA(full)], chunked });
    expect(taken.status).toBe(200);
    const more = `${full} `;
    const refused = await post(path, { bytes: more, headers: [signedByA(more)], chunked });
    expect([refused.status, refused.body['code']]).toEqual([413, 'body_too_large']);
  },
);

const nested = (open: string, inner: string, close: string, depth: number): string =>
  open.repeat(depth) + inner + close.repeat(depth);
const VALUES: Record<string, string> = {
  'deep lists': nested('[', '', ']', 40_000),
  'deep objects': nested('{"a":', '1', '}', 20_000),
  'a number beyond doubles': '1e999',
  'a number of 400 digits': '9'.repeat(400),
  'an own __proto__': '{"__proto__":{"reference":"x"}}',
  'a constructor': '{"constructor":{"prototype":{"x":1}}}',
  'half a surrogate pair': '"\\ud800"',
  'a NUL': '"a\\u0000b"',
  'braces of an array': '"{a,\\"b\\\\\\",NULL}"',
  'very many members': `{${Array.from({ length: 10_000 }, (_, n) => `"m${n}":1`).join(',')}}`,
  'a very long name': JSON.stringify('x'.repeat(50_000)),
};
const BODIES: Record<string, string | Buffer> = {
  'no byte': '',
  'a list': '[]',
  nothing: 'null',
  'a number': '1e999',
  'bytes that are no UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  'UTF-16': Buffer.from(eventOfA('"data":{}'), 'utf16le'),
};
for (const [name, value] of Object.entries(VALUES)) {
  BODIES[`${name} in a subscription of A`] =
    `{"id":"evt_${name}","object":"event","livemode":false,"created":1,"type":"customer.subscription.updated","data":{"object":{"object":"subscription","id":${value},"customer":${value},"status":${value}}}}`;
  BODIES[`${name} in a charge of C`] =
    `{"event":"charge.success","data":{"domain":"test","id":"${name}","reference":${value},"amount":${value},"status":${value},"customer":${value}}}`;
  BODIES[`${name} in a sale of B`] =
    `{"id":"WH-x","event_type":"PAYMENT.SALE.COMPLETED","resource":{"id":${value},"amount":${value},"billing_agreement_id":${value}}}`;
}

test.each(['provider_a', 'provider_b', 'provider_c'])(
  '%s: whatever stands in a body that nobody signed, it is refused as such, and counted once',
  async (provider) => {
    for (const [name, bytes] of Object.entries(BODIES)) {
      const before = await audited();
      const { status, body } = await post(provider, { bytes, headers: [['Stripe-Signature', 't=1,v1=0']] });
      expect([name, status, body['code']]).toEqual([name, 400, 'webhook_signature_invalid']);
      expect([name, await audited()]).toEqual([name, before + 1]);
    }
  },
);

test('whatever a signed body contains, it is stored as received or audited as failed, and never partly', async () => {
  for (const [name, bytes] of Object.entries(BODIES)) {
    for (const [path, header] of [
      [`provider_a?connection=${a}`, signedByA(bytes)],
      [`provider_c?connection=${c}`, signedByC(bytes)],
    ] as const) {
      const before = await audited();
      const { status, body } = await post(path, { bytes, headers: [header] });
      // A provider whose events have no ids cannot distinguish two numbers that exceed a double.
      if (body['duplicate'] === true) continue;
      if (status === 200) {
        const [stored] = await service.database.query<{ body: Buffer }>(
          'SELECT body FROM tollgate.webhook_events WHERE id = $1',
          [body['eventId']],
        );
        expect([name, stored?.body.equals(Buffer.from(bytes))]).toEqual([name, true]);
      } else {
        expect([name, status, body['code']]).toEqual([name, 500, 'webhook_processing_failed']);
        expect([name, await audited()]).toEqual([name, before + 1]);
      }
    }
  }
});

test('an event of the other environment is refused though its signature is right', async () => {
  const live = eventOfA('"data":{}').replace('"livemode":false', '"livemode":true');
  const ofC = '{"event":"charge.success","data":{"domain":"live","reference":"x"}}';
  for (const [path, bytes, header] of [
    [`provider_a?connection=${a}`, live, signedByA(live)],
    ['provider_a', live, signedByA(live)],
    [`provider_c?connection=${c}`, ofC, signedByC(ofC)],
  ] as const) {
    const before = await audited();
    const { status, body } = await post(path, { bytes, headers: [header] });
    expect([status, body['code']]).toEqual([400, 'webhook_environment_mismatch']);
    expect(await audited()).toBe(before + 1);
  }
});

test('another provider’s connection, two connections and strange ones are none', async () => {
  const bytes = eventOfA('"data":{}');
  const headers = [signedByA(bytes), signedByC(bytes)];
  for (const path of [
    `provider_c?connection=${a}`,
    `provider_a?connection=${c}`,
    'provider_a?connection=%27',
  ]) {
    expect((await post(path, { bytes, headers })).body['code']).toBe('webhook_signature_invalid');
  }
  const strange = ['%00', '', 'x'.repeat(101), `${a}&connection=${a}`, '%ff', `${a}&Connection=${a}`];
  for (const connection of strange) {
    const { status } = await post(`provider_a?connection=${connection}`, { bytes, headers });
    expect([connection, status]).toEqual([connection, 400]);
  }
});
