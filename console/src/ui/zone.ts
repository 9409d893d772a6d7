import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/instant.ts';

const QUARTER_MS = 15 * MINUTE_MS;

/** The time zone of the viewer's device. */
export const VIEWER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Time zones by their IANA names, UTC first. */
export const ZONES: string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC'),
];

const ZONE_PROBLEM = 'Enter the name of a time zone, such as Europe/Berlin.';

/** Returns what is wrong with the name of a time zone, for its field; null if this browser knows it. */
export function zoneProblem(name: string): string | null {
  // A fixed offset, such as +02:00. The API takes names only.
  if (/^[+-]/.test(name)) return ZONE_PROBLEM;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return null;
  } catch {
    return ZONE_PROBLEM;
  }
}

/** Returns the wall-clock time of a zone, in milliseconds, as if it were UTC. */
function wallClockAt(zone: string, instant: number): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((known) => known.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/** Formats an instant by the clock of a zone, exactly: `2026-11-24T00:00:00+01:00`. */
export function formatInZone(zone: string, instant: number): string {
  const wallClock = wallClockAt(zone, instant);
  const minutes = Math.round((wallClock - instant) / MINUTE_MS);
  const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${new Date(wallClock).toISOString().slice(0, 19)}${minutes < 0 ? '-' : '+'}${hour}:${minute}`;
}

/** Returns when a day (`2026-11-24`) begins in a zone: at midnight, or later if the clocks skip midnight. */
export function startOfDay(zone: string, day: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const guess = midnight - (wallClockAt(zone, midnight) - midnight);
  const corrected = guess - (wallClockAt(zone, guess) - midnight);
  return wallClockAt(zone, corrected) === midnight ? corrected : Math.max(guess, corrected);
}

/** Returns when the current hour ends in a zone: hours begin at a half or a quarter of those of UTC in some. */
export function endOfHour(zone: string, instant: number): number {
  // Zones differ from UTC by quarters of an hour.
  const quarter = Math.floor(instant / QUARTER_MS) * QUARTER_MS;
  return quarter - (wallClockAt(zone, quarter) % HOUR_MS) + HOUR_MS;
}

/** Returns the day (`2026-11-24`) of an instant in a zone. */
export function dayOf(zone: string, instant: number): string {
  return new Date(wallClockAt(zone, instant)).toISOString().slice(0, 10);
}

/** Returns the first and the last day of a time range in a zone; `to` is exclusive. */
export function daysWithin(zone: string, from: number, to: number): { first: string; last: string } {
  return { first: dayOf(zone, from), last: dayOf(zone, to - 1) };
}

/** Returns the day (`2026-11-24`) that lies the given number of days later. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns when the last days begin in a zone, today included. By the calendar: a day may have 23 or 25 hours. */
export function startOfLastDays(zone: string, now: number, days: number): number {
  return startOfDay(zone, dayAfter(dayOf(zone, now), 1 - days));
}

/**
 * Returns an instant in the middle of the month that lies the given number of months earlier, by the zone's calendar.
 */
export function monthsBefore(zone: string, instant: number, months: number): number {
  const now = new Date(wallClockAt(zone, instant));
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15);
}
