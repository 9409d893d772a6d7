import type { Instant } from './instant';
import { calendarPeriodContaining } from './period';
import type { BillingInterval, SubscriptionStatus } from './subscription-types';

/** What the lifecycle of an internal subscription depends on. */
export interface LifecycleView {
  status: SubscriptionStatus;
  billingAnchor: Instant;
  timeZone: string;
  interval: BillingInterval;
  currentPeriodStart: Instant;
  currentPeriodEnd: Instant;
  trialEnd: Instant | null;
}

/** What is due now, what it waits for, or that no time will change it. */
export type Wake =
  | { kind: 'due'; step: 'turn_period' | 'end_trial'; boundary: Instant }
  | { kind: 'wait'; at: Instant; why: string }
  | { kind: 'finished' };

/**
 * What an internal subscription does next. One step at a time: after a long pause the caller takes the step, asks
 * again, and so turns every period it missed.
 */
export function nextWake(view: LifecycleView, now: Instant): Wake {
  switch (view.status) {
    case 'trialing': {
      const boundary = view.trialEnd ?? view.currentPeriodEnd;
      if (now >= boundary) return { kind: 'due', step: 'end_trial', boundary };
      return { kind: 'wait', at: boundary, why: 'The trial ends.' };
    }
    case 'active':
    case 'past_due': {
      const boundary = view.currentPeriodEnd;
      if (now >= boundary) return { kind: 'due', step: 'turn_period', boundary };
      return { kind: 'wait', at: boundary, why: 'The billing period ends.' };
    }
    case 'incomplete': // Its checkout has a clock of its own and opens it.
    case 'cancelled':
    case 'expired':
      return { kind: 'finished' };
  }
}

/** The subscription one period later. The new end is counted from the anchor, so the 31st comes back. */
export function turnPeriod<V extends LifecycleView>(view: V): V {
  const { billingAnchor: anchor, timeZone, interval, currentPeriodEnd } = view;
  const { end } = calendarPeriodContaining({ anchor, timeZone, interval }, currentPeriodEnd);
  return { ...view, currentPeriodStart: currentPeriodEnd, currentPeriodEnd: end };
}

/** The subscription after its trial: active in the first period that is paid for. */
export function endTrial<V extends LifecycleView>(view: V): V {
  return { ...turnPeriod(view), status: 'active' };
}
