/** A point in time: milliseconds since 1970-01-01T00:00:00Z. Only `src/clock` reads the real one. */
export type Instant = number;

/** Twenty-four hours in milliseconds; grace periods count these, calendar periods do not. */
export const DAY_MS = 86_400_000;
