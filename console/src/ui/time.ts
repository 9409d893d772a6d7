import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/instant.ts';
import { timeInLocale } from '../../../src/domain/time-in-locale.ts';
import { isolate } from './isolate.ts';

const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const dateOnly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const withZone = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
/** Always a number: `tomorrow` would be said of any time in 24 to 36 hours, and `next month` of 30 to 45 days. */
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' });
const NOW = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }).format(0, 'second');

/** Largest first. */
const UNITS = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const satisfies [Intl.RelativeTimeFormatUnit, number][];

/** Formats an instant in the viewer's time zone. */
export function formatTime(at: string, precision: 'day' | 'minute' | 'second'): string {
  if (precision === 'day') return dateOnly.format(new Date(at));
  return timeInLocale(Date.parse(at), { minute: dateTime, second: exact }[precision], withZone);
}

/**
 * Formats an instant for the middle of a sentence. The parts of a Hebrew or Persian date would change places there
 * without the isolation; in markup, `Time` does the same.
 */
export function timeInSentence(at: string, precision: 'day' | 'minute' | 'second'): string {
  return isolate(formatTime(at, precision));
}

/** `2026-11-23 10:04:05 UTC` */
export function formatUtc(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `in 3 days`, `5 minutes ago`, `now` */
export function formatDistance(at: string, from: number): string {
  const distance = Date.parse(at) - from;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(distance) >= size) ?? ['second', 1_000];
  const count = Math.round(distance / length);
  return count === 0 ? NOW : relative.format(count, unit);
}
