import type { Instant } from './instant';
import { calendarPeriodContaining, type BillingRhythm } from './period';

/**
 * Returns the anchor of a subscription whose billing interval becomes `interval` in the period that begins at `start`.
 * The anchor is kept if the new periods fall on `start` (months do where years did). Otherwise it becomes `start`,
 * because years are not counted from where months began.
 */
export function anchorOfInterval(
  { billingAnchor, timeZone, interval: before }: BillingRhythm,
  interval: BillingRhythm['interval'],
  start: Instant,
): Instant {
  if (interval === before) return billingAnchor;
  const kept = calendarPeriodContaining({ anchor: billingAnchor, timeZone, interval }, start);
  return kept.start === start ? billingAnchor : start;
}

/**
 * Adjusts the anchor of a subscription whose terms and period were reported: if its interval differs from before,
 * periods are counted from that period.
 */
export function withAnchorOfInterval<V extends BillingRhythm & { currentPeriodStart: Instant }>(
  view: V,
  before: Pick<BillingRhythm, 'interval'>,
): V {
  const rhythm = { ...view, interval: before.interval };
  return { ...view, billingAnchor: anchorOfInterval(rhythm, view.interval, view.currentPeriodStart) };
}

/** Payment providers count periods in UTC, whatever the workspace's time zone is. */
export const PROVIDER_TIME_ZONE = 'UTC';

/** A workspace's zone may be an hour away from UTC for half a year. */
const CLOCK_CHANGE_MS = 3_600_000;

/**
 * Adjusts the anchor of a subscription whose period a payment provider reported, so that usage periods end when its
 * billing periods do: B charges at an hour of its own, C bills what began after the 28th on the 28th, and A's periods can
 * be moved in its dashboard. Once it has begun, a difference of an hour remains, because unused quota does not carry over
 * when the anchor moves.
 */
export function withAnchorOfReportedEnd<V extends BillingRhythm & { currentPeriodEnd: Instant }>(
  view: V,
  hasBegun: boolean,
): V {
  const { currentPeriodEnd: end } = view;
  const off = Math.abs(end - nearestBoundary(view, end));
  if (off <= (hasBegun ? CLOCK_CHANGE_MS : 0)) return view;
  const counted = { ...view, timeZone: PROVIDER_TIME_ZONE };
  return { ...counted, billingAnchor: anchorThrough(counted, end) };
}

/**
 * Returns the anchor that makes a period begin at `start`, for a payment provider that has moved the periods: B charges
 * at an hour of its own. The anchor moves by as much as the nearest period did, so that the 31st is kept in later
 * months; if that does not work, it becomes `start`.
 */
export function anchorThrough(rhythm: BillingRhythm, start: Instant): Instant {
  const { billingAnchor, timeZone, interval } = rhythm;
  const moved = billingAnchor + (start - nearestBoundary(rhythm, start));
  return calendarPeriodContaining({ anchor: moved, timeZone, interval }, start).start === start
    ? moved
    : start;
}

function nearestBoundary({ billingAnchor: anchor, timeZone, interval }: BillingRhythm, at: Instant): Instant {
  const { start, end } = calendarPeriodContaining({ anchor, timeZone, interval }, at);
  return at - start <= end - at ? start : end;
}
