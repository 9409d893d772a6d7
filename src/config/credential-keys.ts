import type { CredentialKey, CredentialKeys } from '../credentials/key-ring';
import { readSetting } from './read-config';
import { ConfigurationError } from './configuration-error';

const KEY_ID = /^[A-Za-z0-9._-]{1,64}$/;
/** 32 bytes, in either base64 alphabet. */
const KEY = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Reads the credential keys of a process: `id:base64` of 32 bytes each, separated by commas or line breaks. There may
 * be none; then no secrets can be stored.
 *
 * @throws ConfigurationError that never quotes a key
 */
export function readCredentialKeys(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): CredentialKeys {
  const text = readSetting('TOLLGATE_CREDENTIAL_KEYS', environment);
  const activeKeyId = readSetting('TOLLGATE_CREDENTIAL_ACTIVE_KEY', environment);
  const entries = (text ?? '').split(/[,\n]/).map((entry) => entry.trim());
  const keys = entries.filter((entry) => entry !== '').map(parseKey);
  if (text !== undefined && keys.length === 0) {
    throw new ConfigurationError(
      'TOLLGATE_CREDENTIAL_KEYS is set, and has no key. Set one, or leave it out.',
    );
  }
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    throw new ConfigurationError('TOLLGATE_CREDENTIAL_KEYS has two keys with one id.');
  }
  if (activeKeyId !== undefined && !keys.some(({ id }) => id === activeKeyId)) {
    // The value is not quoted, because it may be a key that was mistakenly set here.
    throw new ConfigurationError(
      'TOLLGATE_CREDENTIAL_ACTIVE_KEY is not the id of one of TOLLGATE_CREDENTIAL_KEYS.',
    );
  }
  return { keys, activeKeyId };
}

function parseKey(entry: string, index: number): CredentialKey {
  const colon = entry.indexOf(':');
  const id = entry.slice(0, Math.max(colon, 0));
  const text = entry.slice(colon + 1);
  if (!KEY_ID.test(id) || !KEY.test(text)) {
    throw new ConfigurationError(
      `TOLLGATE_CREDENTIAL_KEYS: entry ${index + 1} is not id:key, with 32 bytes of base64 as the key.`,
    );
  }
  return { id, key: Buffer.from(text, 'base64') };
}
