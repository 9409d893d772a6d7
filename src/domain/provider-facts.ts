import { hasEnded } from './subscription-types';
import type { Instant } from './instant';
import { cancelNow, takeStep, type LifecycleView } from './lifecycle';
import { withEnd } from './pending-cancellation';

/** A boundary within the same minute is the same: not every provider keeps seconds. */
export const SAME_MS = 60_000;

/** A subscription as its payment provider has it. Null is what the provider does not say. */
export interface ProviderFacts {
  status: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired';
  currentPeriodStart: Instant | null;
  currentPeriodEnd: Instant | null;
  cancelAtPeriodEnd: boolean;
  /** When it ends; left out and null where the provider names no instant. */
  cancelAt?: Instant | null;
}

/** The part of a subscription that a provider's facts may change by themselves. Plan, seats and price are not among it. */
export interface ProvidedView extends LifecycleView {
  startedAt: Instant;
  cancelAtPeriodEnd: boolean;
  cancelledAt: Instant | null;
}

/** When the facts are written (the workspace's time), and when a payment failed, if the facts are of a failure. */
export interface FactsOccasion {
  now: Instant;
  failedAt: Instant | null;
}

/**
 * The subscription with what its provider says of it: its period, whether it renews, and the state that payments have
 * brought it to. What has ended here stays ended, what the provider does not say stays as it is, and a period that
 * would run backwards is no period.
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
  // Nothing is paid there yet, or (for one that has begun here) it is an old look at it.
  if (facts.status === 'incomplete') return view;
  const started = view.status === 'incomplete' ? begun(view, facts, occasion.now) : view;
  return withStatus(withPeriod(started, facts), facts, occasion);
}

/** A checkout that was paid: the subscription counts from the provider's period. */
function begun<V extends ProvidedView>(view: V, facts: ProviderFacts, now: Instant): V {
  const startedAt = facts.currentPeriodStart ?? now;
  // The trial of the offer, which the provider did not give, is none; `withStatus` takes the one that it gives.
  return { ...view, startedAt, billingAnchor: startedAt, trialEnd: null, incompleteUntil: null };
}

function withPeriod<V extends ProvidedView>(view: V, facts: ProviderFacts): V {
  const { cancelAtPeriodEnd, cancelAt = null, currentPeriodEnd: end } = facts;
  const same = withEnd({ ...view, cancelAtPeriodEnd, cancelAt });
  if (end === null) return same;
  // An old look: the period that it tells of was over when this one began.
  if (view.status !== 'incomplete' && end <= view.currentPeriodStart) return same;
  const turned = view.status !== 'incomplete' && end > view.currentPeriodEnd;
  const start = facts.currentPeriodStart ?? (turned ? view.currentPeriodEnd : view.currentPeriodStart);
  if (start >= end) return same;
  return withEnd({ ...same, currentPeriodStart: start, currentPeriodEnd: end });
}

function withStatus<V extends ProvidedView>(view: V, facts: ProviderFacts, occasion: FactsOccasion): V {
  switch (facts.status) {
    case 'past_due':
      return {
        ...withTrialOver(view, facts),
        status: 'past_due',
        pastDueSince: pastDueSince(view, occasion),
      };
    case 'trialing': {
      // Paid periods are counted from its end, which the provider's console can move.
      const trialEnd = facts.currentPeriodEnd ?? view.trialEnd;
      const billingAnchor = trialEnd ?? view.billingAnchor;
      return { ...view, status: 'trialing', pastDueSince: null, trialEnd, billingAnchor };
    }
    default:
      // The provider says that nothing is owed to it, and it is who collects.
      return { ...withTrialOver(view, facts), status: 'active', pastDueSince: null };
  }
}

/** One that was ended early: paid periods began then, and not at the end that it would have had. */
function withTrialOver<V extends ProvidedView>(view: V, { currentPeriodStart: start }: ProviderFacts): V {
  const { trialEnd } = view;
  if (view.status !== 'trialing' || trialEnd === null || start === null || start >= trialEnd) return view;
  return { ...view, trialEnd: start, billingAnchor: start };
}

/**
 * Past due since the payment failed; while that time is unknown, since the failure was recorded; never before the
 * unpaid period. So the events of the failure and of the new state may arrive in either order.
 */
function pastDueSince(view: ProvidedView, { now, failedAt }: FactsOccasion): Instant {
  const known = view.status === 'past_due' ? (view.pastDueSince ?? now) : now;
  if (failedAt === null) return known;
  return Math.min(known, Math.max(failedAt, Math.min(view.currentPeriodStart, now)));
}
