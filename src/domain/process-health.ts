import type { Instant } from './instant';

/** A job in the outbox runs at once; one that waits for longer says that no relay takes it. */
const RELAY_BEHIND_MS = 60_000;

/** Whether the relay empties the outbox. @param since since when the oldest job that may run waits; null without one */
export function isRelayBehind(since: Instant | null, now: Instant): boolean {
  return since !== null && now - since >= RELAY_BEHIND_MS;
}
