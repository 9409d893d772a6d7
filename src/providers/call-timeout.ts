import type { ConnectionAccess } from './connection-access';

/** Shorter than an activity's time limit, so that the call itself reports its outcome. */
const TIMEOUT_MS = 15_000;

/**
 * How long a connection to one of a provider's several addresses may take (milliseconds). Node's default of 250 ms is
 * too short for a distant provider, or when this process is busy: a machine without IPv6 would never reach it.
 */
export const ADDRESS_TIMEOUT_MS = 2_000;

/** Returns the time limit for one call to a connection's provider, connecting and reading included (milliseconds). */
export function timeoutOf({ timeoutMs = TIMEOUT_MS }: ConnectionAccess): number {
  return timeoutMs;
}
