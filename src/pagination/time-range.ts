import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';

/** A range of creation times. */
export interface TimeRange {
  /** Inclusive. */
  from?: Instant | undefined;
  /** Exclusive. */
  to?: Instant | undefined;
}

/**
 * Returns the range as filters that a cursor is bound to. @throws TollgateError validation_failed, as `requireOrdered`
 */
export function rangeFilters(range: TimeRange): Record<string, string | undefined> {
  requireOrdered(range);
  return { from: range.from?.toString(), to: range.to?.toString() };
}

/**
 * Rejects a range that ends before it begins, because its list would look empty.
 *
 * @param names of the two parameters in the query
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
