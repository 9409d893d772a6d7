import type { Instant } from '../domain/instant';
import { endTrial, nextWake, turnPeriod, type LifecycleView } from '../domain/lifecycle';

/** A boundary of a subscription: its billing period or its trial ends. */
export interface Boundary {
  subscriptionId: string;
  boundary: Instant;
  what: 'period_end' | 'trial_end';
}

/**
 * The boundaries of a subscription in `(after, until]`, in order. Also those of periods that its row has not come
 * to yet: a year's advance of a monthly subscription has twelve.
 *
 * @param most how many at most
 */
export function boundariesBetween(
  subscription: LifecycleView & { id: string },
  after: Instant,
  until: Instant,
  most: number,
): Boundary[] {
  const found: Boundary[] = [];
  let view: LifecycleView = subscription;
  while (found.length < most) {
    const wake = nextWake(view, until);
    if (wake.kind !== 'due') break;
    const { boundary } = wake;
    const what = wake.step === 'end_trial' ? 'trial_end' : 'period_end';
    if (boundary > after) found.push({ subscriptionId: subscription.id, boundary, what });
    view = wake.step === 'end_trial' ? endTrial(view) : turnPeriod(view);
  }
  return found;
}

/** The subscription's first boundary after an instant, or null when no time will change it. */
export function nextBoundary(subscription: LifecycleView, after: Instant): Instant | null {
  let view = subscription;
  for (;;) {
    const wake = nextWake(view, after);
    if (wake.kind === 'finished') return null;
    if (wake.kind === 'wait') return wake.at;
    view = wake.step === 'end_trial' ? endTrial(view) : turnPeriod(view);
  }
}
