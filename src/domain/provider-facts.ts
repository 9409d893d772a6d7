import { PROVIDER_TIME_ZONE } from './billing-anchor';
import { hasEnded, type SubscriptionStatus } from './subscription-types';
import { DAY_MS, type Instant } from './instant';
import { cancelNow, takeStep, type LifecycleView } from './lifecycle';
import { withEnd } from './pending-cancellation';
import { calendarPeriodAt } from './period';

/** Tolerance for equal boundaries of one minute: not every provider keeps seconds. */
export const SAME_MS = 60_000;

/** Whether two instants are equal within this tolerance; null only equals null. */
export function isSameInstant(one: Instant | null, other: Instant | null): boolean {
  if (one === null || other === null) return one === other;
  return Math.abs(one - other) < SAME_MS;
}

/** A provider moves a payment by hours, or to the next day, without beginning another period. */
const MAX_MOVE_MS = 2 * DAY_MS;

/** Whether a period end that a provider reports without a start is that of a later period, and not our own, moved. */
export function endsLaterPeriod(view: ProvidedView, end: Instant): boolean {
  return hasReportedPeriod(view) && end > view.currentPeriodEnd + MAX_MOVE_MS;
}

/**
 * Whether the provider has reported a period. Until then, the row has the one of the offer, which began with the
 * checkout: before the subscription, or shortly after it by the provider's clock, which may keep whole seconds.
 */
function hasReportedPeriod({ status, startedAt, currentPeriodStart }: ProvidedView): boolean {
  if (status === 'incomplete') return false;
  return startedAt === currentPeriodStart || startedAt + SAME_MS < currentPeriodStart;
}

/**
 * Whether the next payment is still the first one, so that the provider has begun no period: the payment has failed, or
 * is made at the provider's own hour of that day.
 */
export function isFirstPaymentDue(beganAt: Instant, nextPaymentAt: Instant): boolean {
  return nextPaymentAt <= beganAt + DAY_MS;
}

/** A subscription as its payment provider reports it. Null is what the provider does not report. */
export interface ProviderFacts {
  status: SubscriptionStatus;
  currentPeriodStart: Instant | null;
  currentPeriodEnd: Instant | null;
  cancelAtPeriodEnd: boolean;
  /** When it ends; omitted or null if the provider names no instant. */
  cancelAt?: Instant | null;
  /** With `past_due`: payments were suspended, and none has failed, so the current period is paid. */
  isSuspended?: boolean;
  /** With `past_due`: it is paused, because a trial ended without a card or on request, so that no period has begun. */
  isPaused?: boolean;
  /** With `cancelled`: the last of a limited number of periods was paid. It may still be running. */
  isCompleted?: boolean;
  /** When it began; omitted by providers that report the start of every period. */
  beganAt?: Instant;
}

/** The part of a subscription that a provider's facts alone may change. Excludes plan, seats and price. */
export interface ProvidedView extends LifecycleView {
  startedAt: Instant;
  cancelAtPeriodEnd: boolean;
  cancelledAt: Instant | null;
}

/** When the facts are written (the workspace's time), and what is recorded together with them. */
export interface FactsOccasion {
  now: Instant;
  /** When a payment failed, if they report a failure. */
  failedAt: Instant | null;
  /** The provider's invoice whose payment or failure they report; omitted if they report none. */
  reportedInvoice?: string | null;
}

/**
 * Applies the provider's facts to the subscription: its period, whether it renews, and the status that its payments
 * resulted in. A subscription that has ended here stays ended, what the provider does not report is unchanged, and a
 * period that would run backwards is ignored.
 */
export function withProviderFacts<V extends ProvidedView>(
  view: V,
  facts: ProviderFacts,
  occasion: FactsOccasion,
): V {
  if (hasEnded(view.status)) return view;
  if (facts.status === 'cancelled') return { ...cancelNow(view), cancelledAt: occasion.now };
  if (facts.status === 'expired') {
    return takeStep(view, view.status === 'incomplete' ? 'expire_checkout' : 'expire');
  }
  // Nothing is paid there yet, or, for a subscription that has begun here, the facts are stale.
  if (facts.status === 'incomplete') return view;
  const started =
    view.status === 'incomplete' ? begun(view, facts, occasion.now) : withTrialOver(view, facts);
  return withStatus(withPeriod(started, facts, occasion.now), facts, occasion);
}

/** Starts a subscription whose checkout was paid; it counts from the provider's period. */
function begun<V extends ProvidedView>(view: V, facts: ProviderFacts, now: Instant): V {
  const startedAt = facts.currentPeriodStart ?? facts.beganAt ?? now;
  // Clears the trial of the offer, in case the provider did not grant it; `withStatus` sets the one that it grants.
  const timeZone = PROVIDER_TIME_ZONE;
  return { ...view, startedAt, billingAnchor: startedAt, timeZone, trialEnd: null, incompleteUntil: null };
}

function withPeriod<V extends ProvidedView>(view: V, facts: ProviderFacts, now: Instant): V {
  const { cancelAtPeriodEnd, cancelAt = null, currentPeriodEnd: end } = facts;
  const same = withEnd({ ...view, cancelAtPeriodEnd, cancelAt });
  if (end === null) return same;
  // Stale facts: their period ended before this one began.
  if (view.status !== 'incomplete' && end <= view.currentPeriodStart) return same;
  const start = facts.currentPeriodStart ?? unreportedStart(view, end, now);
  if (start === null || start >= end) return same;
  return withEnd({ ...same, currentPeriodStart: start, currentPeriodEnd: end });
}

/** Returns the start of a period of which the provider reports only the end; null if it has begun none. */
function unreportedStart(view: ProvidedView, end: Instant, now: Instant): Instant | null {
  const { startedAt, interval } = view;
  const { start } = calendarPeriodAt({ anchor: end, timeZone: PROVIDER_TIME_ZONE, interval }, -1);
  if (hasReportedPeriod(view)) {
    if (!endsLaterPeriod(view, end)) return view.currentPeriodStart;
    // Not the next period but a later one, if payments were suspended in between, or the provider was not read.
    return start > view.currentPeriodEnd + MAX_MOVE_MS && start <= now ? start : view.currentPeriodEnd;
  }
  if (isFirstPaymentDue(startedAt, end)) return null;
  // If the checkout is read after a renewal, the current period is a later one than the first. A first period is longer
  // than an interval: by hours, because providers charge at an hour of their own, or by a trial, in which an interval
  // before the end is still to come.
  return start > startedAt + DAY_MS && start <= now ? start : startedAt;
}

function withStatus<V extends ProvidedView>(view: V, facts: ProviderFacts, occasion: FactsOccasion): V {
  switch (facts.status) {
    case 'past_due':
      return {
        ...view,
        status: 'past_due',
        pastDueSince: pastDueSince(view, facts, occasion),
      };
    case 'trialing': {
      // Paid periods are counted from the end of the trial, which can be moved in the provider's console.
      const trialEnd = facts.currentPeriodEnd ?? view.trialEnd;
      const billingAnchor = trialEnd ?? view.billingAnchor;
      return { ...view, status: 'trialing', pastDueSince: null, trialEnd, billingAnchor };
    }
    default:
      // The provider collects, and it reports that nothing is owed.
      return { ...view, status: 'active', pastDueSince: null };
  }
}

/**
 * If a trial was ended early, paid periods began then, and not at its scheduled end: possibly in the second in which
 * the trial began. While the provider shows the trial's own period, because it is paused, none has begun.
 */
function withTrialOver<V extends ProvidedView>(view: V, facts: ProviderFacts): V {
  const { trialEnd } = view;
  const { status, currentPeriodStart: start, isPaused = false } = facts;
  if (view.status !== 'trialing' || status === 'trialing' || trialEnd === null || start === null) return view;
  if (isPaused || start < view.currentPeriodStart || start >= trialEnd) return view;
  return { ...view, trialEnd: start, billingAnchor: start };
}

/**
 * Past due since the payment failed, or, while that time is unknown, since the failure was recorded; never before the
 * unpaid period. This way the events of the failure and of the new status may arrive in either order. If payments were
 * suspended without a failure, the current period is paid: past due from its end on. That instant does not move if the
 * provider states a later payment date while payments are suspended.
 */
function pastDueSince(
  view: ProvidedView,
  { isSuspended }: ProviderFacts,
  { now, failedAt }: FactsOccasion,
): Instant {
  const earlier = view.status === 'past_due' ? view.pastDueSince : null;
  if (isSuspended === true) return Math.min(earlier ?? Infinity, view.currentPeriodEnd);
  const known = earlier ?? now;
  if (failedAt === null) return known;
  return Math.min(known, Math.max(failedAt, Math.min(view.currentPeriodStart, now)));
}
