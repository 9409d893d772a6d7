import type { Instant } from '../domain/instant';
import { nextWake, takeStep, type LifecycleStep, type LifecycleView } from '../domain/lifecycle';
import { isEarlyRead } from '../domain/provider-lifecycle';

/** Kinds of boundaries. Future boundaries of subscriptions billed by a provider are computed by our calendar. */
export const BOUNDARY_KINDS = [
  'trial_end',
  'period_end',
  'past_due',
  'expired',
  'checkout_expired',
  'renewal_prepared',
  'approval_looked_for',
  'provider_asked',
] as const;
type BoundaryKind = (typeof BOUNDARY_KINDS)[number];

/** Each step's boundary. `read_past_due` repeats while a subscription is past due, and is not a boundary. */
const KINDS: Record<LifecycleStep, BoundaryKind | null> = {
  end_trial: 'trial_end',
  turn_period: 'period_end',
  become_past_due: 'past_due',
  expire: 'expired',
  expire_checkout: 'checkout_expired',
  read_back: 'period_end',
  prepare_change: 'renewal_prepared',
  check_approval: 'approval_looked_for',
  settle_call: 'provider_asked',
  read_past_due: null,
};

/** An instant at which the passage of time changes a subscription. */
export interface Boundary {
  subscriptionId: string;
  boundary: Instant;
  what: BoundaryKind;
}

/**
 * Returns the boundaries of subscriptions in `(after, until]`, earliest first. Periods that have not begun yet are
 * included, computed as if no payment arrived: an advance of a year has twelve for a free monthly subscription.
 *
 * @param limit most boundaries to return, and to compute for one subscription
 */
export function boundariesBetween(
  subscriptions: readonly (LifecycleView & { id: string })[],
  after: Instant,
  until: Instant,
  limit: number,
): Boundary[] {
  let found: Boundary[] = [];
  let last = until;
  for (const subscription of subscriptions) {
    const own = boundariesOf(subscription, after, last, limit);
    if (own.length === 0) continue;
    found = [...found, ...own].sort(earliestFirst).slice(0, limit);
    // Once the list is full, only boundaries before its last one can still enter it.
    if (found.length === limit) last = found.at(-1)?.boundary ?? until;
  }
  return found;
}

function boundariesOf(
  subscription: LifecycleView & { id: string },
  after: Instant,
  until: Instant,
  limit: number,
): Boundary[] {
  const found: Boundary[] = [];
  let view: LifecycleView = subscription;
  while (found.length < limit) {
    const wake = nextWake(view, until);
    if (wake.kind !== 'due') break;
    const { boundary, step } = wake;
    const what = isEarlyRead(view, step) ? 'provider_asked' : KINDS[step];
    if (boundary > after && what !== null) found.push({ subscriptionId: subscription.id, boundary, what });
    view = takeStep(view, step);
  }
  return found;
}

function earliestFirst(one: Boundary, other: Boundary): number {
  return one.boundary - other.boundary || (one.subscriptionId < other.subscriptionId ? -1 : 1);
}

/** Returns the subscription's first boundary after an instant; null if time no longer changes it. */
export function nextBoundary(subscription: LifecycleView, after: Instant): Instant | null {
  let view = subscription;
  for (;;) {
    const wake = nextWake(view, after);
    if (wake.kind === 'finished') return null;
    if (wake.kind === 'wait' && KINDS[wake.step] !== null) return wake.at;
    view = takeStep(view, wake.step);
  }
}
