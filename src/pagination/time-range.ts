import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';

/** The part of a list that was created within a time. */
export interface TimeRange {
  /** The first instant that belongs to it. */
  from?: Instant | undefined;
  /** The first instant that no longer belongs to it. */
  to?: Instant | undefined;
}

/** As the filters that a cursor is bound to. @throws TollgateError validation_failed, as `requireOrdered` */
export function rangeFilters(range: TimeRange): Record<string, string | undefined> {
  requireOrdered(range);
  return { from: range.from?.toString(), to: range.to?.toString() };
}

/**
 * Refuses a time that ends before it begins: its list would read as if there were nothing.
 *
 * @param names of the two in the query
 * @throws TollgateError validation_failed
 */
export function requireOrdered(
  { from, to }: TimeRange,
  names: { from: string; to: string } = { from: 'from', to: 'to' },
): void {
  if (from === undefined || to === undefined || from <= to) return;
  const [pointer, message] = [`/query/${names.to}`, `lies before ${names.from}`];
  throw new TollgateError('validation_failed', `${pointer}: ${message}`, {
    errors: [{ pointer, message, fix: `Send a later \`${names.to}\`, or an earlier \`${names.from}\`.` }],
  });
}
