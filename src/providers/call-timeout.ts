import type { ConnectionAccess } from './connection-access';

/** Less than an activity may take, so that what became of a call is learnt from the call. */
const TIMEOUT_MS = 15_000;

/** How long a connection's provider may take over one call, connecting and reading included (milliseconds). */
export function timeoutOf({ timeoutMs = TIMEOUT_MS }: ConnectionAccess): number {
  return timeoutMs;
}
