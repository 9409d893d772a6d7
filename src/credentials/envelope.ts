import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Environment } from '../domain/environment';
import { TollgateError } from '../domain/errors';
import { readLayout, writeLayout, type EnvelopeLayout } from './envelope-layout';
import type { CredentialKey, KeyRing } from './key-ring';

/** A connection's whole secret set, by member. */
export type Secrets = Readonly<Record<string, string>>;

/** What an envelope belongs to. One that is read as anything else's, or as another revision, does not open. */
export interface EnvelopeOwner {
  workspaceId: string;
  environment: Environment;
  provider: string;
  connectionId: string;
  /** Grows with each sealing; it stands in the row. */
  revision: number;
}

const CIPHER = 'aes-256-gcm';
const TAG = { authTagLength: 16 } as const;
const secretsSchema = z.record(z.string(), z.string());

/** Seals a secret set under a fresh data key and fresh nonces; the ring's key wraps the data key. */
export function sealEnvelope(wrappingKey: CredentialKey, owner: EnvelopeOwner, secrets: Secrets): Buffer {
  const dataKey = randomBytes(32);
  const members = Object.entries(secrets).sort(([one], [other]) => (one < other ? -1 : 1));
  const text = Buffer.from(JSON.stringify(Object.fromEntries(members)), 'utf8');
  const layout: EnvelopeLayout = {
    keyId: wrappingKey.id,
    wrapNonce: randomBytes(12),
    wrappedKey: Buffer.alloc(0),
    nonce: randomBytes(12),
    sealed: Buffer.alloc(0),
  };
  layout.wrappedKey = encrypt(wrappingKey.key, layout.wrapNonce, bound('wrap', layout.keyId, owner), dataKey);
  layout.sealed = encrypt(dataKey, layout.nonce, bound('data', layout.keyId, owner), text);
  dataKey.fill(0);
  text.fill(0);
  return writeLayout(layout);
}

/**
 * Opens an envelope. There is no fallback of any kind.
 *
 * @throws TollgateError key_unavailable when the ring lacks its key; credential_corrupt when it is damaged, is of an
 *   unknown version, or belongs to something else
 */
export function openEnvelope(ring: KeyRing, owner: EnvelopeOwner, envelope: Buffer): Secrets {
  const layout = readLayout(envelope);
  if (layout === undefined) throw corrupt(owner);
  const wrappingKey = ring.find(layout.keyId);
  if (wrappingKey === undefined) throw unavailable(owner);
  const { keyId, wrapNonce, wrappedKey, nonce, sealed } = layout;
  try {
    const dataKey = decrypt(wrappingKey.key, wrapNonce, bound('wrap', keyId, owner), wrappedKey);
    const text = decrypt(dataKey, nonce, bound('data', keyId, owner), sealed);
    dataKey.fill(0);
    return secretsSchema.parse(JSON.parse(text.toString('utf8')));
  } catch {
    // What exactly is wrong is no caller's business.
    throw corrupt(owner);
  }
}

/**
 * The additional data: every part with its length before it, so that no two owners can be spelled alike.
 * `A`, `sandbox` and `As`, `andbox` differ.
 */
function bound(purpose: 'wrap' | 'data', keyId: string, owner: EnvelopeOwner): Buffer {
  const parts = [
    ...['tollgate.provider-credentials', purpose, '1', 'A256GCM', keyId],
    ...[owner.workspaceId, owner.environment, owner.provider, owner.connectionId, String(owner.revision)],
  ];
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

/** The ciphertext, and after it the tag. */
function encrypt(key: Buffer, nonce: Buffer, aad: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce, TAG).setAAD(aad);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, nonce: Buffer, aad: Buffer, sealed: Buffer): Buffer {
  const end = sealed.length - TAG.authTagLength;
  const decipher = createDecipheriv(CIPHER, key, nonce, TAG).setAAD(aad).setAuthTag(sealed.subarray(end));
  return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
}

function corrupt({ connectionId }: EnvelopeOwner): TollgateError {
  return new TollgateError('credential_corrupt', `The stored secrets of ${connectionId} do not open.`);
}

/** The alarm is the logged 503: an operator has to give this process its key back. */
function unavailable({ connectionId }: EnvelopeOwner): TollgateError {
  return new TollgateError(
    'key_unavailable',
    `This process does not hold the key under which the secrets of ${connectionId} are sealed.`,
    { retryAfter: 30 },
  );
}
