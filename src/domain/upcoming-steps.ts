import type { Instant } from './instant';
import { nextWake, takeStep, type LifecycleStep, type LifecycleView } from './lifecycle';

/** A step of time to come, and the subscription after it. */
export interface UpcomingStep<V extends LifecycleView = LifecycleView> {
  at: Instant;
  step: LifecycleStep;
  view: V;
}

/**
 * What time will do to a subscription without commands and payments: so an open payment, also that of a renewal
 * to come, leads to past due and expiry. What is overdue comes first, as of `now`.
 *
 * @param most steps at most
 */
export function upcomingSteps<V extends LifecycleView>(
  view: V,
  now: Instant,
  most: number,
): UpcomingStep<V>[] {
  const steps: UpcomingStep<V>[] = [];
  let current = view;
  while (steps.length < most) {
    const wake = nextWake(current, Number.POSITIVE_INFINITY);
    if (wake.kind !== 'due') break;
    current = takeStep(current, wake.step);
    steps.push({ at: Math.max(wake.boundary, now), step: wake.step, view: current });
  }
  return steps;
}
