import type { Instant } from './instant';
import { calendarPeriodContaining, type BillingRhythm } from './period';

/**
 * The anchor of a subscription whose billing interval becomes `interval` with the period that begins at `start`: it stays
 * where the new periods fall on that instant (months do where years did), and else it is that instant: years are not
 * counted from where months began.
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

/** A subscription that was told its terms and its period: with another interval, its periods are counted from that one. */
export function withAnchorOfInterval<V extends BillingRhythm & { currentPeriodStart: Instant }>(
  view: V,
  before: Pick<BillingRhythm, 'interval'>,
): V {
  const rhythm = { ...view, interval: before.interval };
  return { ...view, billingAnchor: anchorOfInterval(rhythm, view.interval, view.currentPeriodStart) };
}

/**
 * The anchor that periods are counted from so that one begins at `start`, where a payment provider has moved them: B charges
 * at an hour of its own. It is moved as far as the nearest period was, so that the 31st comes back; else it is `start`.
 */
export function anchorThrough({ billingAnchor, timeZone, interval }: BillingRhythm, start: Instant): Instant {
  const around = calendarPeriodContaining({ anchor: billingAnchor, timeZone, interval }, start);
  const nearest = start - around.start <= around.end - start ? around.start : around.end;
  const moved = billingAnchor + (start - nearest);
  return calendarPeriodContaining({ anchor: moved, timeZone, interval }, start).start === start
    ? moved
    : start;
}
