import type { Instant } from '../domain/instant';

/** Returns how old the oldest of some items is, in seconds, as Prometheus counts; 0 without one. */
export function ageInSeconds(oldest: Instant | null, at: Instant): number {
  return oldest === null ? 0 : Math.max(0, (at - oldest) / 1_000);
}
