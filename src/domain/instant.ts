/** A point in time: milliseconds since 1970-01-01T00:00:00Z. Only `src/clock` reads the real one. */
export type Instant = number;

/** Twenty-four hours in milliseconds; grace periods count these, calendar periods do not. */
export const DAY_MS = 86_400_000;

const isoTexts = new Map<Instant, string>();
const ISO_TEXTS_KEPT = 2_000;

/**
 * The instant in ISO 8601, in UTC with milliseconds. Recent texts are kept: the start of a usage period stands in each
 * answer, event and counter of its customers.
 */
export function isoText(instant: Instant): string {
  const known = isoTexts.get(instant);
  if (known !== undefined) return known;
  if (isoTexts.size >= ISO_TEXTS_KEPT) isoTexts.clear();
  const text = new Date(instant).toISOString();
  isoTexts.set(instant, text);
  return text;
}
