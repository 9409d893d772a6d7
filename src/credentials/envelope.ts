import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Environment } from '../domain/environment';
import { TollgateError } from '../domain/errors';
import type { CredentialKey, KeyRing } from './key-ring';

/** A connection's whole secret set, by field. */
export type Secrets = Readonly<Record<string, string>>;

/** The owner of an envelope. An envelope read for another owner or another revision does not open. */
export type EnvelopeOwner = ConnectionOwner | SecondFactorOwner;

interface ConnectionOwner {
  workspaceId: string;
  environment: Environment;
  provider: string;
  connectionId: string;
  /** Increases with each sealing; stored in the row. */
  revision: number;
}

/** An operator's second factor, which belongs to no workspace. */
interface SecondFactorOwner {
  operatorId: string;
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
 * Opens an envelope, without any fallback.
 *
 * @throws TollgateError key_unavailable when the ring lacks its key; credential_corrupt when it is damaged, has an
 *   unknown version, or belongs to another owner
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
    // Callers are not shown the exact cause.
    throw corrupt(owner);
  }
}

/**
 * Builds the additional data: every part is preceded by its length, so that no two owners have the same encoding. `A`,
 * `sandbox` and `As`, `andbox` differ.
 */
function bound(purpose: 'wrap' | 'data', keyId: string, owner: EnvelopeOwner): Buffer {
  const [domain, ...names] =
    'operatorId' in owner
      ? ['tollgate.second-factor', owner.operatorId]
      : [
          ...['tollgate.provider-credentials', owner.workspaceId, owner.environment],
          ...[owner.provider, owner.connectionId],
        ];
  const parts = [domain ?? '', purpose, '1', 'A256GCM', keyId, ...names, String(owner.revision)];
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

/** Returns the ciphertext followed by the tag. */
function encrypt(key: Buffer, nonce: Buffer, aad: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce, TAG).setAAD(aad);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, nonce: Buffer, aad: Buffer, sealed: Buffer): Buffer {
  const end = sealed.length - TAG.authTagLength;
  const decipher = createDecipheriv(CIPHER, key, nonce, TAG).setAAD(aad).setAuthTag(sealed.subarray(end));
  return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
}

function corrupt(owner: EnvelopeOwner): TollgateError {
  return new TollgateError(
    'credential_corrupt',
    `The stored secrets of ${nameOf(owner)} cannot be decrypted.`,
  );
}

/** The logged 503 is the alarm: an operator has to restore the key to this process. */
function unavailable(owner: EnvelopeOwner): TollgateError {
  return new TollgateError(
    'key_unavailable',
    `This process does not have the key that encrypted the secrets of ${nameOf(owner)}.`,
    { retryAfter: 30 },
  );
}

function nameOf(owner: EnvelopeOwner): string {
  return 'operatorId' in owner ? owner.operatorId : owner.connectionId;
}

/** The parts of an envelope of version 1. */
interface EnvelopeLayout {
  keyId: string;
  wrapNonce: Buffer;
  /** The encrypted data key: 32 bytes and a tag. */
  wrappedKey: Buffer;
  nonce: Buffer;
  /** The encrypted secret set, with its tag. */
  sealed: Buffer;
}

const VERSION = 1;
/** AES-256-GCM with 96-bit nonces and 128-bit tags. */
const ALGORITHM = 1;
const HEADER = 3;
const NONCE = 12;
const WRAPPED_KEY = 48;

/**
 * Serializes an envelope: version, algorithm, length of the key's id, the id, and the sealed parts, each of a fixed
 * size except the last. Every bit is significant, so an envelope has only one encoding.
 */
function writeLayout({ keyId, wrapNonce, wrappedKey, nonce, sealed }: EnvelopeLayout): Buffer {
  const id = Buffer.from(keyId, 'latin1');
  return Buffer.concat([
    Buffer.from([VERSION, ALGORITHM, id.length]),
    id,
    wrapNonce,
    wrappedKey,
    nonce,
    sealed,
  ]);
}

/** Returns undefined if these bytes are not an envelope of a known version. */
function readLayout(bytes: Buffer): EnvelopeLayout | undefined {
  const [version, algorithm, length = 0] = bytes;
  if (version !== VERSION || algorithm !== ALGORITHM || length === 0) return undefined;
  if (bytes.length < HEADER + length + NONCE + WRAPPED_KEY + NONCE + TAG.authTagLength) return undefined;
  let at = HEADER;
  const next = (size: number): Buffer => bytes.subarray(at, (at += size));
  return {
    keyId: next(length).toString('latin1'),
    wrapNonce: next(NONCE),
    wrappedKey: next(WRAPPED_KEY),
    nonce: next(NONCE),
    sealed: next(bytes.length),
  };
}
