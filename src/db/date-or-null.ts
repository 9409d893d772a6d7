import type { Instant } from '../domain/instant';

/** An instant as a `timestamptz` parameter. */
export function dateOrNull(instant: Instant | null): Date | null {
  return instant === null ? null : new Date(instant);
}
