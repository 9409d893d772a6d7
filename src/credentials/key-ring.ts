import { createHmac, hkdfSync } from 'node:crypto';
import type { Environment } from '../domain/environment';
import { publishedKey } from './published-key';

/** A version of the key that wraps the data keys of envelopes: 32 bytes with an id. */
export interface CredentialKey {
  id: string;
  key: Buffer;
}

/** The keys that a process was configured with. */
export interface CredentialKeys {
  keys: readonly CredentialKey[];
  /** The active key in a database without one; the first key if omitted. */
  activeKeyId: string | undefined;
}

/** The key versions that this process can read with. The active one is stored in the database (key-ring-store.ts). */
export interface KeyRing {
  readonly ids: readonly string[];
  /** Each id with its key's check value, so that processes with different keys under one id find out. */
  readonly published: readonly string[];
  readonly firstActive: string | undefined;
  find(id: string): CredentialKey | undefined;
  /**
   * Computes a keyed hash of a secret for each version, so that it can be found as long as one version exists. The hash
   * of one environment says nothing about the other's.
   */
  fingerprints(workspaceId: string, environment: Environment, secret: string): Buffer[];
}

/** A ring without keys, for an installation without provider connections. */
export const NO_KEYS: CredentialKeys = { keys: [], activeKeyId: undefined };

export function createKeyRing({ keys, activeKeyId }: CredentialKeys): KeyRing {
  const byId = new Map(keys.map((entry) => [entry.id, entry]));
  const hashKeys = keys.map(({ key }) =>
    Buffer.from(hkdfSync('sha256', key, '', 'tollgate.secret-fingerprint', 32)),
  );
  return {
    ids: keys.map(({ id }) => id),
    published: keys.map(({ id, key }) => publishedKey(id, checkValue(key))),
    firstActive: activeKeyId ?? keys[0]?.id,
    find: (id) => byId.get(id),
    fingerprints: (workspaceId, environment, secret) => {
      // The sandbox's fingerprints are older and have no label.
      const label = environment === 'sandbox' ? [] : [environment];
      const text = JSON.stringify([workspaceId, ...label, secret]);
      return hashKeys.map((key) => createHmac('sha256', key).update(text).digest());
    },
  };
}

/** Distinguishes keys without revealing anything about them. */
function checkValue(key: Buffer): string {
  return createHmac('sha256', key).update('tollgate.key-check').digest('hex').slice(0, 8);
}
