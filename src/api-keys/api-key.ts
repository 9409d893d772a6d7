import { createHmac, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../domain/environment';

/** Form of a key: prefix, 32 base-62 characters (190 bits), and 6 characters of checksum over both. */
export const apiKeyPrefixes: Record<Environment, string> = { sandbox: 'svc_test_', production: 'svc_live_' };
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY = /^(svc_test_|svc_live_)([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** Generates a secret key for an environment. It is shown once and stored only as its hash (`hashApiKey`). */
export function generateApiKey(environment: Environment): string {
  const body = Array.from({ length: 32 }, () => BASE62[randomInt(62)]).join('');
  return withChecksum(apiKeyPrefixes[environment] + body);
}

/**
 * Returns the environment that a key claims, from its form alone; null if it is not a key or is damaged. The checksum
 * detects a typing error without a database query.
 */
export function environmentOfApiKey(key: string): Environment | null {
  const match = KEY.exec(key);
  if (match === null) return null;
  const [, prefix = '', body = ''] = match;
  if (withChecksum(prefix + body) !== key) return null;
  return prefix === apiKeyPrefixes.sandbox ? 'sandbox' : 'production';
}

/** Says what is wrong with a key that has no environment. */
export function flawOfApiKey(key: string): string {
  const { sandbox, production } = apiKeyPrefixes;
  return key.startsWith(sandbox) || key.startsWith(production)
    ? 'its checksum does not match. Check for a typing error.'
    : `it does not begin with ${sandbox} or ${production}.`;
}

/** Hashes a key with HMAC-SHA-256 under the deployment's pepper. A fast hash is sufficient for 190 bits of entropy. */
export function hashApiKey(key: string, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}

function withChecksum(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let place = 0; place < 6; place += 1) {
    checksum = (BASE62[rest % 62] ?? '') + checksum;
    rest = Math.floor(rest / 62);
  }
  return text + checksum;
}
