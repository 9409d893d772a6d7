import type { Instant } from './instant';
import { nextWake, takeStep, type LifecycleStep, type LifecycleView } from './lifecycle';

/** A future step, and the subscription after it. */
export interface UpcomingStep<V extends LifecycleView = LifecycleView> {
  at: Instant;
  step: LifecycleStep;
  view: V;
}

/**
 * Returns what time will do to a subscription without commands and payments: an open payment, including that of a
 * future renewal, leads to past due and expiry. Overdue steps come first, at `now`.
 *
 * @param limit maximum number of steps
 */
export function upcomingSteps<V extends LifecycleView>(
  view: V,
  now: Instant,
  limit: number,
): UpcomingStep<V>[] {
  const steps: UpcomingStep<V>[] = [];
  let current = view;
  while (steps.length < limit) {
    const wake = nextWake(current, Number.POSITIVE_INFINITY);
    if (wake.kind !== 'due') break;
    current = takeStep(current, wake.step);
    steps.push({ at: Math.max(wake.boundary, now), step: wake.step, view: current });
  }
  return steps;
}
