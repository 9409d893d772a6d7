import type { ConnectionAccess } from './connection-access';

/** Shorter than an activity's time limit, so that the call itself reports its outcome. */
const TIMEOUT_MS = 15_000;

/** Returns the time limit for one call to a connection's provider, connecting and reading included (milliseconds). */
export function timeoutOf({ timeoutMs = TIMEOUT_MS }: ConnectionAccess): number {
  return timeoutMs;
}
