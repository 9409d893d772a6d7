import { HOUR_MS, type Instant } from './instant';

/** How far clocks are set back: an hour, half an hour on Lord Howe Island, two hours in Antarctica. */
const SET_BACK_MS = [HOUR_MS, HOUR_MS / 2, 2 * HOUR_MS];

/**
 * Formats an instant. A time that occurs twice, because the clocks are set back, is formatted with its time zone:
 * `Nov 1, 2026, 1:30:00 AM EDT` and not `Nov 1, 2026, 1:30 AM`.
 *
 * @param usual has hours and minutes
 * @param withZone names the time zone
 */
export function timeInLocale(at: Instant, usual: Intl.DateTimeFormat, withZone: Intl.DateTimeFormat): string {
  const text = usual.format(at);
  const occursTwice = SET_BACK_MS.some(
    (distance) => usual.format(at - distance) === text || usual.format(at + distance) === text,
  );
  return occursTwice ? withZone.format(at) : text;
}
