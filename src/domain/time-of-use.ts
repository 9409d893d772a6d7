import { DAY_MS, type Instant } from './instant';
import type { Period } from './period';

/** How late a use may be reported. */
export interface ReportingRules {
  /** Days of 24 hours that a use may lie back. */
  reportedDays: number;
  /** Minutes after its end for which a usage period stays open. */
  graceMinutes: number;
}

/** What a workspace begins with. */
export const DEFAULT_REPORTING: ReportingRules = { reportedDays: 35, graceMinutes: 60 };

/** Clocks of integrators go wrong by less than this, in either direction. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;
const MINUTE_MS = 60_000;

/** Why a time of use is not accepted, as words that follow it; null where it is. */
export function refusalOfTime(at: Instant, now: Instant, { reportedDays }: ReportingRules): string | null {
  if (at > now + CLOCK_TOLERANCE_MS) return 'lies more than 5 minutes ahead';
  if (at < now - reportedDays * DAY_MS)
    return `lies back more than ${reportedDays === 1 ? 'one day' : `${reportedDays} days`}`;
  return null;
}

/** Whether a usage period is over for good: what is reported of it from then on is late. */
export function isClosed({ end }: Period, now: Instant, { graceMinutes }: ReportingRules): boolean {
  return end !== null && now >= end + graceMinutes * MINUTE_MS;
}

/**
 * When a use counts that was made while the customer had no access: at the start of the subscription that began soon
 * after it. An integrator whose clock is behind names such a time for what is used right after the start.
 *
 * @param starts of the customer's subscriptions
 */
export function startSoonAfter(at: Instant, starts: readonly Instant[]): Instant {
  const soon = starts.filter((start) => start > at && start - at <= CLOCK_TOLERANCE_MS);
  return soon.length === 0 ? at : Math.min(...soon);
}
