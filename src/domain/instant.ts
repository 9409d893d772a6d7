/** Point in time: milliseconds since 1970-01-01T00:00:00Z. Only `src/clock` reads the real clock. */
export type Instant = number;

export const MINUTE_MS = 60_000;

export const HOUR_MS = 60 * MINUTE_MS;

/** Twenty-four hours in milliseconds. Grace periods count these, calendar periods do not. */
export const DAY_MS = 24 * HOUR_MS;

const isoTexts = new Map<Instant, string>();
const ISO_TEXTS_KEPT = 2_000;

/**
 * Formats the instant in ISO 8601, in UTC with milliseconds. Recent texts are cached, because the start of a usage
 * period appears in every response, event and counter of its customers.
 */
export function isoText(instant: Instant): string {
  const known = isoTexts.get(instant);
  if (known !== undefined) return known;
  if (isoTexts.size >= ISO_TEXTS_KEPT) isoTexts.clear();
  const text = new Date(instant).toISOString();
  isoTexts.set(instant, text);
  return text;
}
