import { openEnvelope, sealEnvelope, type EnvelopeOwner } from '../../src/credentials/envelope';
import { createKeyRing } from '../../src/credentials/key-ring';
import { testKeys } from '../credentials/keys';

/** Section 5, row 8: secrets are stored in versioned AES-256-GCM envelopes under a versioned key ring. */
const ring = createKeyRing(testKeys('k1', 'k2'));
const owner: EnvelopeOwner = {
  workspaceId: 'org_1',
  environment: 'sandbox',
  provider: 'provider_a',
  connectionId: 'conn_1',
  revision: 7,
};
const secrets = { secretKey: 'sk_test_fake_0123456789', webhookSecret: 'whsec_fake_0123456789' };

function keyOf(id: string) {
  const key = ring.find(id);
  if (key === undefined) throw new Error(id);
  return key;
}
const seal = (as: EnvelopeOwner = owner, keyId = 'k1'): Buffer => sealEnvelope(keyOf(keyId), as, secrets);

/** Returns the code with which an envelope is refused; null if it opens. */
function refusalOf(envelope: Buffer, as: EnvelopeOwner = owner, with_ = ring): unknown {
  try {
    openEnvelope(with_, as, envelope);
    return null;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}

test('an envelope opens for its owner, with whichever key of the ring sealed it', () => {
  for (const keyId of ['k1', 'k2']) expect(openEnvelope(ring, owner, seal(owner, keyId))).toEqual(secrets);
});

test('it holds nothing in the clear, and no two are alike', () => {
  const [one, other] = [seal(), seal()];
  for (const clear of ['sk_test', 'whsec', 'secretKey']) expect(one.includes(clear)).toBe(false);
  let equal = 0;
  for (let at = 5; at < one.length; at += 1) if (one[at] === other[at]) equal += 1;
  expect(equal).toBeLessThan(one.length / 4);
});

test('every single-bit flip is refused', () => {
  const envelope = seal();
  const opened: number[] = [];
  for (let bit = 0; bit < envelope.length * 8; bit += 1) {
    const flipped = Buffer.from(envelope);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    if (refusalOf(flipped) === null) opened.push(bit);
  }
  expect(opened).toEqual([]);
  expect(refusalOf(envelope)).toBeNull();
});

test('every shorter and every longer one is refused', () => {
  const envelope = seal();
  for (let length = 0; length < envelope.length; length += 1) {
    expect(refusalOf(envelope.subarray(0, length))).toBe('credential_corrupt');
  }
  expect(refusalOf(Buffer.concat([envelope, Buffer.from([0])]))).toBe('credential_corrupt');
});

test.each<[string, Partial<EnvelopeOwner>]>([
  ['workspace', { workspaceId: 'org_2' }],
  ['environment', { environment: 'production' }],
  ['provider', { provider: 'provider_c' }],
  ['connection', { connectionId: 'conn_2' }],
  ['an older revision', { revision: 6 }],
  ['a newer revision', { revision: 8 }],
])('an envelope of another %s is refused, both ways', (_, other) => {
  const elsewhere = { ...owner, ...other };
  expect(refusalOf(seal(), elsewhere)).toBe('credential_corrupt');
  expect(refusalOf(seal(elsewhere))).toBe('credential_corrupt');
});

test('names that run together alike are different owners', () => {
  const one = { ...owner, workspaceId: 'A', environment: 'sandbox' as const };
  const other = { ...owner, workspaceId: 'As', environment: 'andbox' as never };
  expect(refusalOf(seal(one), other)).toBe('credential_corrupt');
});

test('a key that the ring lacks is distinguished from damage, and neither falls back to anything', () => {
  const without = createKeyRing(testKeys('k2'));
  expect(refusalOf(seal(), owner, without)).toBe('key_unavailable');
  const impostor = createKeyRing({ keys: [{ id: 'k1', key: Buffer.alloc(32, 9) }], activeKeyId: 'k1' });
  expect(refusalOf(seal(), owner, impostor)).toBe('credential_corrupt');
  expect(refusalOf(Buffer.from(JSON.stringify(secrets)))).toBe('credential_corrupt');
});

test('an unknown version or algorithm is refused though everything else is right', () => {
  for (const at of [0, 1]) {
    for (const value of [0, 2, 255]) {
      const other = seal();
      other[at] = value;
      expect(refusalOf(other)).toBe('credential_corrupt');
    }
  }
});
