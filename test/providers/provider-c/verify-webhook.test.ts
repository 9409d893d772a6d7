import { createHmac } from 'node:crypto';
import { providerC } from '../../../src/providers/provider-c/adapter';
import type { ConnectionAccess } from '../../../src/providers/connection-access';

const KEY = 'sk_test_fake0000000000000000000000000000000c';
const RAW = Buffer.from('{"event":"charge.success","data":{"amount":1.0,"url":"https:\\/\\/x"}}');

function access(secrets: Record<string, string> = { secretKey: KEY }): ConnectionAccess {
  return { connectionId: 'conn_1', apiMode: 'sandbox', secretVersion: 1, secrets, settings: {} };
}

const sign = (raw: Buffer, key = KEY, hash = 'sha512') => createHmac(hash, key).update(raw).digest('hex');
const verify = (raw: Buffer, rawHeaders: string[], connection = access()) =>
  providerC.verifyWebhook(connection, { bytes: raw, headers: {}, rawHeaders, receivedAt: 0 });

describe('the signature of provider C', () => {
  it('is that of the bytes under the secret key, whatever the case of the header’s name', async () => {
    expect(await verify(RAW, ['X-Paystack-Signature', sign(RAW)])).toBe('valid');
    expect(await verify(RAW, ['host', 'x', 'x-paystack-signature', sign(RAW)])).toBe('valid');
  });

  const reserialized = Buffer.from(JSON.stringify(JSON.parse(RAW.toString())));
  it.each([
    ['another secret', RAW, sign(RAW, `${KEY}x`)],
    ['another hash', RAW, sign(RAW, KEY, 'sha256')],
    ['a body that was parsed and written again', RAW, sign(reserialized)],
    ['one byte more', Buffer.concat([RAW, Buffer.from('\n')]), sign(RAW)],
    ['one byte less', RAW.subarray(0, -1), sign(RAW)],
    ['a signature cut short', RAW, sign(RAW).slice(0, -2)],
    ['a signature and something behind it', RAW, `${sign(RAW)}00`],
    ['no signature', RAW, ''],
    ['what is no hexadecimal', RAW, 'z'.repeat(128)],
  ])('is refused with %s', async (_what, raw, signature) => {
    expect(await verify(raw, ['x-paystack-signature', signature])).toBe('invalid');
  });

  it('is refused for every bit of it that differs', async () => {
    const signature = Buffer.from(sign(RAW), 'hex');
    for (let bit = 0; bit < signature.length * 8; bit += 1) {
      const flipped = Buffer.from(signature);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(await verify(RAW, ['x-paystack-signature', flipped.toString('hex')])).toBe('invalid');
    }
  });

  it('is refused when it is missing, in a value’s place, or there twice', async () => {
    expect(await verify(RAW, [])).toBe('invalid');
    expect(await verify(RAW, ['x-other', 'x-paystack-signature', sign(RAW), 'x'])).toBe('invalid');
    const twice = ['x-paystack-signature', sign(RAW), 'X-PAYSTACK-SIGNATURE', sign(RAW)];
    expect(await verify(RAW, twice)).toBe('invalid');
  });

  it('cannot be judged without a secret key, an empty one included', async () => {
    const forged = ['x-paystack-signature', sign(RAW, '')];
    expect(await verify(RAW, forged, access({}))).toBe('incomplete');
    expect(await verify(RAW, forged, access({ secretKey: '' }))).toBe('incomplete');
  });
});
