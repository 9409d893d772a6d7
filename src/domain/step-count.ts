import type { Instant } from './instant';
import { anchorThrough } from './billing-anchor';
import { dueAtOf, expiresAt, nextWake, takeStep, type LifecycleView } from './lifecycle';
import { endsAt } from './pending-cancellation';
import { billingPeriodFrom, calendarPeriodAt, calendarPeriodContaining } from './period';

/**
 * Counts the steps that time causes for a subscription up to an instant, including overdue ones, assuming no commands
 * and no payments. Successive periods are counted without iterating over them, so a hundred years cost no more than
 * one.
 */
export function countSteps(subscription: LifecycleView, until: Instant): number {
  let steps = 0;
  let view = subscription;
  for (;;) {
    const turned = turnPeriods(view, until);
    steps += turned.count;
    view = turned.view;
    const wake = nextWake(view, until);
    if (wake.kind !== 'due') return steps;
    view = takeStep(view, wake.step);
    steps += 1;
  }
}

/** Turns successive periods as long as each turn changes nothing else. */
function turnPeriods<V extends LifecycleView>(view: V, until: Instant): { view: V; count: number } {
  const stop = onlyTurnsBefore(view);
  const { currentPeriodEnd: next, timeZone, interval } = view;
  const last = stop === null ? next - 1 : Math.min(until, stop - 1);
  if (last < next) return { view, count: 0 };
  const billingAnchor = view.provider === 'internal' ? view.billingAnchor : anchorThrough(view, next);
  const schedule = { anchor: billingAnchor, timeZone, interval };
  const first = billingPeriodFrom({ billingAnchor, timeZone, interval }, next).index;
  const to = Math.max(first, calendarPeriodContaining(schedule, last).index);
  const { start, end } = calendarPeriodAt(schedule, to);
  const turned = { ...view, currentPeriodStart: to === first ? next : start, currentPeriodEnd: end };
  return { view: turned, count: to - first + 1 };
}

/** Returns the instant until which only periods end; null if the next end changes more. */
function onlyTurnsBefore(view: LifecycleView): Instant | null {
  if (view.scheduledInterval !== null) return null;
  if (view.provider === 'internal') return untilPaymentMatters(view);
  return isQuietAtProvider(view) ? Number.POSITIVE_INFINITY : null;
}

function isQuietAtProvider(view: LifecycleView): boolean {
  const { status, work } = view;
  const isWorking = work?.unsettled || work?.request || work?.sync || (work?.lookAgainAt ?? null) !== null;
  return status === 'active' && !isWorking && endsAt(view) === null;
}

/** Returns when an open payment changes the state of a subscription billed here; null if the next period's may. */
function untilPaymentMatters(view: LifecycleView): Instant | null {
  const { status, paymentDueAt } = view;
  if (status === 'past_due') return view.pastDueSince === null ? null : expiresAt(view);
  if (status !== 'active') return null;
  if (view.nextPeriodIsFree) return paymentDueAt ?? Number.POSITIVE_INFINITY;
  // The next period's charge may be due before what is open.
  const nextDueAt = dueAtOf(view.currentPeriodEnd, view.pastDueAfterDays);
  return paymentDueAt === null || nextDueAt < paymentDueAt ? null : paymentDueAt;
}
