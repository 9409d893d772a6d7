import type { Instant } from './instant';

/** A job in the outbox normally runs immediately; a longer wait shows that no relay takes it. */
const RELAY_BEHIND_MS = 60_000;

/**
 * Whether the relay has fallen behind with the outbox.
 * @param since since when the oldest runnable job has been waiting; null if there is none
 */
export function isRelayBehind(since: Instant | null, now: Instant): boolean {
  return since !== null && now - since >= RELAY_BEHIND_MS;
}
