import type { Database } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { CodeSource } from '../second-factor/code-throttle';
import { forgetDevice, isDeviceOf, rememberDevice } from './device-store';
import { hashToken, isToken, newSessionToken } from './session-token';

/** Returns the source of a code at log-in: a device that has logged in to the account before, or an unknown one. */
export async function codeSourceOf(
  database: Database,
  operatorId: string,
  device: string | undefined,
  now: Instant,
): Promise<CodeSource> {
  if (device === undefined || !isToken(device)) return { kind: 'unknown' };
  const hash = hashToken(device);
  const isKnown = await isDeviceOf(database, operatorId, hash, now);
  return isKnown ? { kind: 'device', id: hash.toString('base64url') } : { kind: 'unknown' };
}

/**
 * Issues a new device token at each log-in, so that a copy of the old one stops working. @returns it, for the cookie
 */
export async function renewDevice(
  database: Database,
  operatorId: string,
  old: string | undefined,
  now: Instant,
): Promise<string> {
  const device = newSessionToken();
  if (old !== undefined && isToken(old)) await forgetDevice(database, operatorId, hashToken(old));
  await rememberDevice(database, operatorId, hashToken(device), now);
  return device;
}
