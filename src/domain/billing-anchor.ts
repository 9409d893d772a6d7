import { HOUR_MS, type Instant } from './instant';
import { calendarPeriodAt, calendarPeriodContaining, type BillingRhythm } from './period';
import type { SubscriptionStatus } from './subscription-types';

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
const CLOCK_CHANGE_MS = HOUR_MS;

/**
 * Adjusts the anchor of a subscription whose period a payment provider reported, so that usage periods end when its
 * billing periods do: B charges at an hour of its own, C bills what began after the 28th on the 28th, and A's periods
 * can be moved in its dashboard. Once it has begun, a difference of an hour remains, because unused quota does not
 * carry over when the anchor moves.
 *
 * @param before the subscription before the report; null if it has just begun
 */
export function withAnchorOfReportedEnd<V extends ReportedPeriod>(view: V, before: V | null): V {
  const { currentPeriodEnd: end } = view;
  const hasBegun = before !== null;
  const tolerance = hasBegun ? CLOCK_CHANGE_MS : 0;
  if (Math.abs(end - nearestBoundary(view, end)) <= tolerance) return view;
  if (hasBegun && isOfOtherInterval(view, before)) return view;
  const counted = { ...view, timeZone: PROVIDER_TIME_ZONE };
  const billingAnchor = anchorThrough(counted, end);
  return {
    ...counted,
    billingAnchor: isWhole({ ...counted, billingAnchor }, hasBegun) ? billingAnchor : end,
  };
}

type ReportedPeriod = BillingRhythm & {
  status: SubscriptionStatus;
  startedAt: Instant;
  currentPeriodStart: Instant;
  currentPeriodEnd: Instant;
};

/**
 * Whether the provider bills by another interval than the plan has here, as after a change in its dashboard. A yearly
 * quota is not given for each of its months, and a monthly one not for its whole year; an operator repairs the drift.
 */
function isOfOtherInterval(view: ReportedPeriod, before: ReportedPeriod): boolean {
  const { status, interval, currentPeriodStart: start, currentPeriodEnd: end } = view;
  if (status === 'trialing') return false;
  const counted = calendarPeriodAt({ anchor: start, timeZone: PROVIDER_TIME_ZONE, interval }, 0);
  const share = (end - start) / (counted.end - start);
  return share >= 2 || (share < 0.5 && start > before.currentPeriodStart);
}

/**
 * Whether the reported period is one of the anchor's, or its first one cut short. In any other period the quota would
 * be given twice: again from a boundary within it, or, once units are counted, again from an earlier start.
 */
function isWhole(view: ReportedPeriod, hasBegun: boolean): boolean {
  const { billingAnchor: anchor, timeZone, interval, startedAt, currentPeriodStart, currentPeriodEnd } = view;
  const { start } = calendarPeriodContaining({ anchor, timeZone, interval }, currentPeriodEnd - 1);
  const off = start - Math.max(startedAt, currentPeriodStart);
  return hasBegun ? Math.abs(off) <= CLOCK_CHANGE_MS : off <= 0;
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
