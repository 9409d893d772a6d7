import { countInWords } from './count-in-words';
import { DAY_MS, MINUTE_MS, type Instant } from './instant';
import type { Period } from './period';
import { accessStatusThen, type PastAccessView, type PastDuePolicy } from './subscription-access';
import { hasEnded } from './subscription-types';

/** Rules for how late a use may be reported. */
export interface ReportingRules {
  /** Maximum age of a use, in days of 24 hours. */
  reportedDays: number;
  /** Minutes for which a usage period stays open after its end. */
  graceMinutes: number;
}

/** Defaults of a new workspace. */
export const DEFAULT_REPORTING: ReportingRules = { reportedDays: 35, graceMinutes: 60 };

/** Integrators' clocks are off by less than this, in either direction. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

/**
 * Returns the earliest time of a use that may still be reported. If late reports are not accepted, a use may still be
 * some minutes old, because clocks differ.
 */
export function earliestReported(
  now: Instant,
  { reportedDays }: Pick<ReportingRules, 'reportedDays'>,
): Instant {
  return now - Math.max(reportedDays * DAY_MS, CLOCK_TOLERANCE_MS);
}

/** Returns why a time of use is rejected, as words that follow it; null if it is accepted. */
export function refusalOfTime(at: Instant, now: Instant, rules: ReportingRules): string | null {
  if (at > now + CLOCK_TOLERANCE_MS) return 'lies more than 5 minutes ahead';
  if (at < earliestReported(now, rules))
    return `lies back more than ${rules.reportedDays === 0 ? '5 minutes' : countInWords(rules.reportedDays, 'day')}`;
  return null;
}

/** Whether a usage period is closed for good, so that further reports for it are late. */
export function isClosed({ end }: Period, now: Instant, { graceMinutes }: ReportingRules): boolean {
  return end !== null && now >= end + graceMinutes * MINUTE_MS;
}

/** Returns the latest start of a subscription for which a use at an instant may count. */
export function latestStartFor(at: Instant): Instant {
  return at + CLOCK_TOLERANCE_MS;
}

/**
 * Returns when a use counts that was made while the customer had no access: at the start of the subscription that began
 * soon after it. An integrator whose clock is behind reports such a time for a use right after the start.
 *
 * @param starts of the customer's subscriptions
 */
export function startSoonAfter(at: Instant, starts: readonly Instant[]): Instant {
  const soon = starts.filter((start) => start > at && start <= latestStartFor(at));
  return soon.length === 0 ? at : Math.min(...soon);
}

/**
 * Returns when a use counts whose reported time is after the end of the customer's access: now, if it has access now.
 * An integrator whose clock is ahead reports such a time for a use right before the end.
 */
export function nowInstead(at: Instant, now: Instant, hasAccess: (then: Instant) => boolean): Instant {
  return at > now && !hasAccess(at) && hasAccess(now) ? now : at;
}

/** A subscription of the customer, with its plan's entitlement to the feature; null if it has none. */
export interface UsedSubscription extends PastAccessView {
  entitlementId: string | null;
}

/**
 * Returns when a use at `at` counts (`nowInstead`, `startSoonAfter`): where it is a start, that of an open subscription
 * rather than of one that has ended. Plans without the feature matter only if none has it: a customer that has just
 * bought an add-on already has a plan.
 *
 * @param now the time of the decision
 */
export function countedAt(
  subscriptions: readonly UsedSubscription[],
  policy: PastDuePolicy,
  at: Instant,
  now: Instant,
): Instant {
  const entitled = subscriptions.filter(({ entitlementId }) => entitlementId !== null);
  const meant = entitled.length > 0 ? entitled : subscriptions;
  const isActive = (then: Instant): boolean =>
    meant.some((one) => accessStatusThen(one, policy, then) === 'active');
  const moment = nowInstead(at, now, isActive);
  if (moment !== at || meant.some((one) => accessStatusThen(one, policy, at) !== 'none')) return moment;
  const open = startSoonAfter(at, startsOf(meant.filter(({ status }) => !hasEnded(status))));
  return open > at ? open : startSoonAfter(at, startsOf(meant));
}

function startsOf(subscriptions: readonly UsedSubscription[]): Instant[] {
  return subscriptions.map(({ startedAt }) => startedAt);
}
