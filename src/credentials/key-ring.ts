import { createHmac, hkdfSync } from 'node:crypto';
import type { Environment } from '../domain/environment';
import { publishedKey } from './published-key';

/** A version of the key that wraps the data keys of envelopes: 32 bytes under a name. */
export interface CredentialKey {
  id: string;
  key: Buffer;
}

/** What a process was configured with. */
export interface CredentialKeys {
  keys: readonly CredentialKey[];
  /** Which one writes in a database where none has written yet; without it, the first. */
  activeKeyId: string | undefined;
}

/** The versions that this process can read with. Which one writes stands in the database (key-ring-store.ts). */
export interface KeyRing {
  readonly ids: readonly string[];
  /** Each id with its key's check value: two processes that mean different keys by one name must find out. */
  readonly published: readonly string[];
  readonly firstActive: string | undefined;
  find(id: string): CredentialKey | undefined;
  /**
   * A keyed hash of a secret for each version, so that it is found as long as one of them is there. That of one
   * environment says nothing about the other's.
   */
  fingerprints(workspaceId: string, environment: Environment, secret: string): Buffer[];
}

/** A ring that can hold no secrets: for an installation that has no provider connections. */
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
      // The sandbox's are older, and have no label.
      const label = environment === 'sandbox' ? [] : [environment];
      const text = JSON.stringify([workspaceId, ...label, secret]);
      return hashKeys.map((key) => createHmac('sha256', key).update(text).digest());
    },
  };
}

/** Tells keys apart and says nothing about them. */
function checkValue(key: Buffer): string {
  return createHmac('sha256', key).update('tollgate.key-check').digest('hex').slice(0, 8);
}
