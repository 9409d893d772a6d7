import { addMonths, dateOfWallClock } from './civil-date';
import { DAY_MS, HOUR_MS, type Instant } from './instant';
import { instantOfWallClock, wallClockAt } from './zone';

export const BUCKET_INTERVALS = ['hour', 'day', 'month'] as const;
export type BucketInterval = (typeof BUCKET_INTERVALS)[number];

/** Time range `[start, end)`. */
export interface Bucket {
  start: Instant;
  end: Instant;
}

export const QUARTER_MS = 900_000;

/**
 * Returns the hours, days or months of a zone's calendar that a time range touches: contiguous, and covering the range.
 * A day has 23 or 25 hours when the clock changes, and an hour lasts half an hour or an hour and a half when the clock
 * moves by half an hour: it begins when the clock shows a full hour. Buckets begin at quarters of an hour (UTC); the
 * few zones that deviated, all before 1980, are rounded down.
 *
 * @param limit maximum number of buckets
 * @returns null if there would be more
 * @throws RangeError when there is no such zone
 */
export function bucketsOf(
  timeZone: string,
  interval: BucketInterval,
  { from, to }: { from: Instant; to: Instant },
  limit: number,
): Bucket[] | null {
  const buckets: Bucket[] = [];
  let start = startOf(timeZone, interval, from);
  while (start < to || buckets.length === 0) {
    if (buckets.length === limit) return null;
    const end = nextAfter(timeZone, interval, start);
    buckets.push({ start, end });
    start = end;
  }
  return buckets;
}

/** Returns the start of the bucket that contains an instant. */
function startOf(timeZone: string, interval: BucketInterval, instant: Instant): Instant {
  let start = roundDown(nominalStart(timeZone, interval, instant));
  // Where the clock goes back over midnight, the repeated hour shows the previous day but belongs to the new one.
  while (start > instant) start = roundDown(nominalStart(timeZone, interval, start - DAY_MS));
  for (let next = nextAfter(timeZone, interval, start); next <= instant;) {
    start = next;
    next = nextAfter(timeZone, interval, start);
  }
  return start;
}

/** Returns the start of the bucket that follows the one beginning at `start`. */
function nextAfter(timeZone: string, interval: BucketInterval, start: Instant): Instant {
  if (interval === 'hour') return nextHour(timeZone, start);
  // The middle of the next day or month is always inside it, even if the clock changes at its edges.
  const wallClock = wallClockAt(timeZone, start) + DAY_MS / 2;
  for (let ahead = 1; ; ahead += 1) {
    const within =
      interval === 'day' ? wallClock + ahead * DAY_MS : addMonths(firstOfMonth(wallClock), ahead);
    const next = roundDown(instantOfWallClock(timeZone, startOfDay(within)));
    // A day that the zone skipped begins when the day after it does.
    if (next > start) return next;
  }
}

function nominalStart(timeZone: string, interval: BucketInterval, instant: Instant): Instant {
  const wallClock = wallClockAt(timeZone, instant);
  if (interval === 'day') return instantOfWallClock(timeZone, startOfDay(wallClock));
  if (interval === 'month') return instantOfWallClock(timeZone, firstOfMonth(wallClock));
  let start = instant;
  for (let past = intoHour(timeZone, start); past !== 0; past = intoHour(timeZone, start)) start -= past;
  return start;
}

function nextHour(timeZone: string, start: Instant): Instant {
  let next = start + HOUR_MS - intoHour(timeZone, start);
  if (intoHour(timeZone, next) !== 0) {
    // The clock has moved by part of an hour, perhaps to a full one.
    for (let quarter = roundDown(start) + QUARTER_MS; quarter < next; quarter += QUARTER_MS)
      if (intoHour(timeZone, quarter) === 0) return quarter;
  }
  for (let past = intoHour(timeZone, next); past !== 0; past = intoHour(timeZone, next))
    next += HOUR_MS - past;
  return roundDown(next) > start ? roundDown(next) : nextHour(timeZone, next);
}

/** Returns how long the zone's clock has shown its current hour. */
function intoHour(timeZone: string, instant: Instant): number {
  const wallClock = wallClockAt(timeZone, instant);
  return wallClock - Math.floor(wallClock / HOUR_MS) * HOUR_MS;
}

function startOfDay(wallClock: number): number {
  return Math.floor(wallClock / DAY_MS) * DAY_MS;
}

function firstOfMonth(wallClock: number): number {
  return startOfDay(wallClock) - (dateOfWallClock(wallClock).day - 1) * DAY_MS;
}

function roundDown(instant: Instant): Instant {
  return Math.floor(instant / QUARTER_MS) * QUARTER_MS;
}
