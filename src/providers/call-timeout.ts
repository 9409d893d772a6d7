import type { ConnectionAccess } from './connection-access';

/** Less than an activity may take, so that the call itself reports its outcome. */
const TIMEOUT_MS = 15_000;

/** How long a connection's provider may take over one call, connecting and reading included (milliseconds). */
export function timeoutOf({ timeoutMs = TIMEOUT_MS }: ConnectionAccess): number {
  return timeoutMs;
}
