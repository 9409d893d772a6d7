import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import Stripe from 'stripe';
import { HOUR_MS } from '../../../src/domain/instant';
import type { ConnectionAccess } from '../../../src/providers/connection-access';
import { providerA } from '../../../src/providers/provider-a/adapter';

const SECRET = 'whsec_not_a_real_secret';
const NOW = 1_790_000_000_000;
const BODY = Buffer.from('{"id":"evt_1","amount":1.0,"url":"https:\\/\\/x"}');

const access = (webhookSecret = SECRET): ConnectionAccess => ({
  connectionId: 'conn_1',
  apiMode: 'sandbox',
  secretVersion: 1,
  secrets: { secretKey: 'sk_test_not_a_real_key', webhookSecret },
  settings: {},
});
const hmac = (body: Buffer, secret: string, t: number) =>
  createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
const header = (body = BODY, secret = SECRET, at = NOW) => {
  const t = Math.floor(at / 1000);
  return `t=${t},v1=${hmac(body, secret, t)}`;
};
const verify = (
  value: string | undefined,
  { body = BODY, with: connection = access(), raw = ['Stripe-Signature', value ?? ''] } = {},
) =>
  providerA.verifyWebhook(connection, {
    bytes: body,
    headers: { 'stripe-signature': value },
    rawHeaders: raw,
    receivedAt: NOW,
  });

test("accepts the provider's signature, the original library's included", async () => {
  const stripe = new Stripe('sk_test_not_a_real_key');
  const original = stripe.webhooks.generateTestHeaderString({
    payload: BODY.toString(),
    secret: SECRET,
    timestamp: NOW / 1000,
  });
  expect(await verify(original)).toBe('valid');
  expect(await verify(header())).toBe('valid');
});

test.each([
  ['just in time, before', -300_000, 'valid'],
  ['too old', -301_000, 'invalid'],
  ['just in time, after', 300_000, 'valid'],
  ['in the future', 301_000, 'invalid'],
  ['an hour in the future', HOUR_MS, 'invalid'],
])('%s', async (_, offset, verdict) => {
  expect(await verify(header(BODY, SECRET, NOW + offset))).toBe(verdict);
});

test('several secrets and several signatures: one match is enough', async () => {
  const t = NOW / 1000;
  const two = `t=${t},v1=${hmac(BODY, 'whsec_other', t)},v1=${hmac(BODY, SECRET, t)}`;
  expect(await verify(two)).toBe('valid');
  expect(await verify(header(), { with: access(`whsec_new, ${SECRET}`) })).toBe('valid');
  expect(await verify(header(), { with: access('whsec_new,whsec_newer') })).toBe('invalid');
});

test('no webhook is hashed for more than ten secrets', async () => {
  const others = (count: number): string => 'whsec_other,'.repeat(count);
  expect(await verify(header(), { with: access(`${others(9)}${SECRET}`) })).toBe('valid');
  expect(await verify(header(), { with: access(`${others(10)}${SECRET}`) })).toBe('invalid');
});

test('without a signing secret nothing can be verified', async () => {
  expect(await verify(header(BODY, ''), { with: access('') })).toBe('incomplete');
  expect(await verify(header(BODY, ''), { with: access(' , ') })).toBe('incomplete');
});

const t = NOW / 1000;
const good = hmac(BODY, SECRET, t);
test.each([
  ['no header', undefined],
  ['an empty header', ''],
  ['the wrong secret', header(BODY, 'whsec_wrong')],
  ['another body', header(Buffer.from('{}'))],
  ['v0 only', `t=${t},v0=${good}`],
  ['no time', `v1=${good}`],
  ['no signature', `t=${t}`],
  ['two times', `t=${t},v1=${good},t=${t}`],
  ['a time that is no number', `t=${t}x,v1=${good}`],
  ['a negative time', `t=-${t},v1=${good}`],
  ['a truncated signature', `t=${t},v1=${good.slice(0, -1)}`],
  ['a lengthened signature', `t=${t},v1=${good}00`],
  ['a signature without the time', `t=${t},v1=${createHmac('sha256', SECRET).update(BODY).digest('hex')}`],
  ['a header that does not end', `${header()},${'v1=00,'.repeat(1_000)}`],
])('refuses %s', async (_, value) => {
  expect(await verify(value)).toBe('invalid');
});

test('refuses a body that was serialized again, or has one byte more', async () => {
  const again = Buffer.from(JSON.stringify(JSON.parse(BODY.toString())));
  expect(await verify(header(), { body: again })).toBe('invalid');
  expect(await verify(header(), { body: Buffer.concat([BODY, Buffer.from('\n')]) })).toBe('invalid');
});

test('refuses a header that was sent twice, also when both are the same', async () => {
  const value = header();
  expect(await verify(value, { raw: ['Stripe-Signature', value, 'stripe-signature', value] })).toBe(
    'invalid',
  );
  expect(
    await verify(`${value}, ${value}`, { raw: ['Stripe-Signature', value, 'STRIPE-SIGNATURE', value] }),
  ).toBe('invalid');
  // A header value that equals the name is not a second header.
  expect(await verify(value, { raw: ['x-name', 'stripe-signature', 'Stripe-Signature', value] })).toBe(
    'valid',
  );
});

test('refuses every body and header with a bit turned', async () => {
  const value = header();
  await fc.assert(
    fc.asyncProperty(fc.nat(BODY.length - 1), fc.nat(7), async (at, bit) => {
      const body = Buffer.from(BODY);
      body.writeUInt8(body.readUInt8(at) ^ (1 << bit), at);
      expect(await verify(value, { body })).toBe('invalid');
    }),
  );
});
