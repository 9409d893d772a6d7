import { z } from 'zod';
import type { Instant } from '../domain/instant';

const EARLIEST = Date.UTC(1970, 0, 1);
const LATEST = Date.UTC(10_000, 0, 1) - 1;

/** A time in answers: ISO 8601 in UTC. */
export const timeSchema = z.iso.datetime();

/** A time in requests: ISO 8601 with `Z` or an offset, from 1970 to 9999; parsed to epoch milliseconds. */
export const instantInput = z.iso
  .datetime({ offset: true, error: ({ input }) => notATime(input), abort: true })
  .refine((value) => Date.parse(value) >= EARLIEST && Date.parse(value) <= LATEST, {
    error: 'does not lie between the years 1970 and 9999',
    params: { fix: 'Send a time between these years.' },
  })
  .transform((value): Instant => Date.parse(value))
  .meta({ example: '2026-01-31T00:00:00Z' });

/** A `+` in a query is a space: `2026-01-31T00:00:00+01:00` arrives so if it was not percent-encoded. */
const WITHOUT_PLUS = /T.* \d{2}:\d{2}$/;

function notATime(input: unknown): string {
  return typeof input === 'string' && WITHOUT_PLUS.test(input)
    ? 'has a space before its offset: write the + as %2B in an address'
    : 'is not an ISO 8601 time with Z or an offset';
}

/** Formats an instant for an answer. */
export function toTime(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** Formats an optional instant for an answer. */
export function toTimeOrNull(instant: Instant | null): string | null {
  return instant === null ? null : toTime(instant);
}
