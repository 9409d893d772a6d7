import type { Instant } from '../domain/instant';

/** The part of a list that was created within a time. */
export interface TimeRange {
  /** The first instant that belongs to it. */
  from?: Instant | undefined;
  /** The first instant that no longer belongs to it. */
  to?: Instant | undefined;
}

/** As the filters that a cursor is bound to. */
export function rangeFilters({ from, to }: TimeRange): Record<string, string | undefined> {
  return { from: from?.toString(), to: to?.toString() };
}
