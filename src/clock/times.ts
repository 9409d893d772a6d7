import type { Instant } from '../domain/instant';

/** One moment by both clocks (docs/decisions/two-clocks.md). */
export interface Times {
  /** The workspace's time. */
  now: Instant;
  /** Real time. */
  recordedAt: Instant;
}
