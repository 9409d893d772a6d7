import { hasEnded } from './subscription-types';
import { DAY_MS, type Instant } from './instant';
import { closed, type LifecycleStep, type LifecycleView } from './lifecycle-view';
import { anchorOfInterval } from './billing-anchor';
import { billingPeriodFrom } from './period';
import { isEarlyRead, stepsAtProvider, takeProviderStep } from './provider-lifecycle';

export * from './lifecycle-view';

/** A step that is due now, a step to wait for, or `finished` if time will not change the subscription again. */
export type Wake =
  | { kind: 'due'; step: LifecycleStep; boundary: Instant }
  | { kind: 'wait'; step: LifecycleStep; at: Instant; why: string }
  | { kind: 'finished' };

const WHY: Record<LifecycleStep, string> = {
  end_trial: 'The trial ends.',
  turn_period: 'The billing period ends.',
  become_past_due: 'The open payment becomes past due.',
  expire: 'The past-due subscription expires.',
  expire_checkout: 'The unpaid checkout expires.',
  settle_call: 'An unconfirmed call to the payment provider is retried.',
  read_back: 'The billing period ends, and the subscription is read at the payment provider.',
  prepare_change: 'The scheduled change is sent to the payment provider.',
  check_approval: 'The customer’s approval is checked at the payment provider.',
  read_past_due: 'The past-due payment is checked at the payment provider.',
};
const EARLY_READ = 'The subscription is read at the payment provider.';

/**
 * Returns what a subscription does next. One step at a time: after a long pause the caller takes the step and asks
 * again, and so takes every missed step in the order of their boundaries.
 */
export function nextWake(view: LifecycleView, now: Instant): Wake {
  const next = nextStep(view);
  if (next === null) return { kind: 'finished' };
  const { step, at } = next;
  if (now >= at) return { kind: 'due', step, boundary: at };
  return { kind: 'wait', step, at, why: isEarlyRead(view, step) ? EARLY_READ : WHY[step] };
}

/**
 * Returns when the row must wake; null if time will not change it. An overdue time is kept so that the sweep finds it.
 */
export function wakeAt(view: LifecycleView): Instant | null {
  return nextStep(view)?.at ?? null;
}

/**
 * Whether a workflow that still waits on the row before a change wakes in time for the row after it. If it wakes too
 * early, it does nothing and waits again.
 */
export function wakesInTime(before: LifecycleView, after: LifecycleView): boolean {
  const [earlier, later] = [wakeAt(before), wakeAt(after)];
  return before.status === after.status && earlier !== null && (later === null || earlier <= later);
}

interface Step {
  step: LifecycleStep;
  at: Instant;
}

function nextStep(view: LifecycleView): Step | null {
  return stepsOfTime(view).reduce<Step | null>((first, one) => (first ? earlier(first, one) : one), null);
}

/** Returns what a subscription waits for. Steps at the same instant are taken in this order. */
export function stepsOfTime(view: LifecycleView): Step[] {
  // A payment provider renews on its own; the local calendar must not run ahead of it.
  if (view.provider !== 'internal') return stepsAtProvider(view);
  const next = nextLocalStep(view);
  return next === null ? [] : [next];
}

function nextLocalStep(view: LifecycleView): Step | null {
  const turn: Step = { step: 'turn_period', at: view.currentPeriodEnd };
  switch (view.status) {
    case 'incomplete':
      return view.incompleteUntil === null ? null : { step: 'expire_checkout', at: view.incompleteUntil };
    case 'trialing':
      return { step: 'end_trial', at: view.trialEnd ?? view.currentPeriodEnd };
    case 'active':
      return view.paymentDueAt === null
        ? turn
        : earlier({ step: 'become_past_due', at: view.paymentDueAt }, turn);
    case 'past_due': {
      const at = expiresAt(view);
      return at === null ? turn : earlier({ step: 'expire', at }, turn);
    }
    case 'cancelled':
    case 'expired':
      return null;
  }
}

/**
 * Returns when a past-due subscription expires unless it is paid; null if it is not past due, or if a payment provider
 * decides when it gives up.
 */
export function expiresAt(
  view: Pick<LifecycleView, 'provider' | 'status' | 'pastDueSince' | 'paymentDueAt' | 'expireAfterDays'>,
): Instant | null {
  if (view.provider !== 'internal') return null;
  const since = view.status === 'past_due' ? (view.pastDueSince ?? view.paymentDueAt) : null;
  return since === null ? null : since + view.expireAfterDays * DAY_MS;
}

/** At the same instant the first argument wins: an expired subscription must not renew. */
function earlier(first: Step, second: Step): Step {
  return second.at < first.at ? second : first;
}

/** Returns the subscription after a step: the pure part of what the step's transaction writes. */
export function takeStep<V extends LifecycleView>(view: V, step: LifecycleStep): V {
  switch (step) {
    case 'end_trial':
      return { ...turnPeriod(view, firstPeriodIsFree(view)), status: 'active' };
    case 'turn_period':
      return turnPeriod(view, view.nextPeriodIsFree);
    case 'become_past_due':
      return { ...view, status: 'past_due', pastDueSince: view.paymentDueAt };
    case 'expire':
    case 'expire_checkout':
      return { ...view, ...closed(), status: 'expired' };
    default:
      return takeProviderStep(view, step);
  }
}

/** Returns when a transaction created at `madeAt` makes its subscription past due if it is unpaid. */
export function dueAtOf(madeAt: Instant, pastDueAfterDays: number): Instant {
  return madeAt + pastDueAfterDays * DAY_MS;
}

/**
 * Returns the subscription after a payment, given what is still open: it is no longer past due once nothing is due. An
 * ended subscription is unchanged.
 *
 * @param dueAts due times of every transaction that is still unpaid
 */
export function withOpenPayments<V extends LifecycleView>(
  view: V,
  dueAts: readonly Instant[],
  now: Instant,
): V {
  if (hasEnded(view.status)) return view;
  const paymentDueAt = earliest(...dueAts);
  if (view.status !== 'past_due') return { ...view, paymentDueAt };
  if (paymentDueAt !== null && paymentDueAt <= now) {
    return { ...view, paymentDueAt, pastDueSince: paymentDueAt };
  }
  return { ...view, paymentDueAt, pastDueSince: null, status: 'active' };
}

/**
 * Returns the subscription one period later. The new end is counted from the anchor, so that the 31st is kept in later
 * months. A change of interval that waited for the renewal may set a new anchor.
 */
function turnPeriod<V extends LifecycleView>(view: V, isFree: boolean): V {
  const { timeZone, currentPeriodEnd: start } = view;
  const interval = view.scheduledInterval ?? view.interval;
  const billingAnchor = anchorOfInterval(view, interval, start);
  const { end } = billingPeriodFrom({ billingAnchor, timeZone, interval }, start);
  const dueAt = isFree ? null : dueAtOf(start, view.pastDueAfterDays);
  return {
    ...view,
    interval,
    billingAnchor,
    currentPeriodStart: start,
    currentPeriodEnd: end,
    scheduledInterval: null,
    paymentDueAt: earliest(view.paymentDueAt, dueAt),
  };
}

/** The end of a trial charges the price that was shown at its start, even if the plan has become free since. */
function firstPeriodIsFree({ unitAmount, nextPeriodIsFree }: LifecycleView): boolean {
  return unitAmount === undefined ? nextPeriodIsFree : unitAmount === 0n;
}

function earliest(...instants: readonly (Instant | null)[]): Instant | null {
  const known = instants.filter((instant) => instant !== null);
  return known.length === 0 ? null : Math.min(...known);
}
