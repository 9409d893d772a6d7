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

/**
 * Returns the anchor that makes a period begin at `start`, for a payment provider that has moved the periods: B charges
 * at an hour of its own. The anchor moves by as much as the nearest period did, so that the 31st is kept in later
 * months; if that does not work, it becomes `start`.
 */
export function anchorThrough({ billingAnchor, timeZone, interval }: BillingRhythm, start: Instant): Instant {
  const around = calendarPeriodContaining({ anchor: billingAnchor, timeZone, interval }, start);
  const nearest = start - around.start <= around.end - start ? around.start : around.end;
  const moved = billingAnchor + (start - nearest);
  return calendarPeriodContaining({ anchor: moved, timeZone, interval }, start).start === start
    ? moved
    : start;
}
