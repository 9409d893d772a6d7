import { Temporal } from 'temporal-polyfill';
import { DAY_MS, type Instant } from './instant';

/** Time range `[from, until)` in which a zone keeps one offset from UTC (milliseconds). */
interface OffsetSpan {
  from: Instant;
  until: Instant;
  offset: number;
}

/**
 * Answers of the zone database so far, by zone, in order of time. A query costs ten microseconds or more, and usage
 * periods are computed for every call. The answers never change, so this is a memo and not state.
 */
const spansByZone = new Map<string, OffsetSpan[]>();
const MAX_ZONES = 1000;
/** More than the daylight-saving changes of three centuries. */
const MAX_SPANS = 1000;

/**
 * Returns the wall clock of a zone (an IANA name or a fixed offset) at an instant, as milliseconds "as if it were UTC".
 * @throws RangeError when there is no such zone.
 */
export function wallClockAt(timeZone: string, instant: Instant): number {
  return instant + offsetAt(timeZone, instant);
}

/**
 * Returns the instant at which a zone's clock shows the wall-clock time. A time that daylight saving skips uses the
 * offset before the change; a repeated time means its first occurrence (Temporal's "compatible").
 * @throws RangeError when there is no such zone.
 */
export function instantOfWallClock(timeZone: string, wallClock: number): Instant {
  // No offset is as long as a day, so these two instants lie before and after the result.
  const offsetBefore = offsetAt(timeZone, wallClock - DAY_MS);
  const early = wallClock - offsetBefore;
  if (offsetAt(timeZone, early) === offsetBefore) return early;
  const offsetAfter = offsetAt(timeZone, wallClock + DAY_MS);
  const late = wallClock - offsetAfter;
  return offsetAt(timeZone, late) === offsetAfter ? late : early;
}

function offsetAt(timeZone: string, instant: Instant): number {
  if (timeZone === 'UTC') return 0;
  const spans = spansOf(timeZone);
  const next = firstAfter(spans, instant);
  const known = spans[next - 1];
  if (known !== undefined && instant < known.until) return known.offset;
  const found = readSpan(timeZone, instant);
  spans.splice(next, 0, found);
  return found.offset;
}

function spansOf(timeZone: string): OffsetSpan[] {
  const known = spansByZone.get(timeZone);
  if (known !== undefined && known.length < MAX_SPANS) return known;
  if (spansByZone.size >= MAX_ZONES) spansByZone.clear();
  const spans: OffsetSpan[] = [];
  spansByZone.set(timeZone, spans);
  return spans;
}

/** Returns the index of the first span that begins after the instant. */
function firstAfter(spans: readonly OffsetSpan[], instant: Instant): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const span = spans[middle];
    if (span !== undefined && span.from <= instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

function readSpan(timeZone: string, instant: Instant): OffsetSpan {
  const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
  // "Previous" is strictly before, and a change at this very instant begins the span.
  const began = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  const ends = at.getTimeZoneTransition('next');
  return {
    from: began?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    until: ends?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: at.offsetNanoseconds / 1_000_000,
  };
}
