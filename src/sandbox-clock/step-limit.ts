import { countInWords } from '../domain/count-in-words';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { LifecycleView } from '../domain/lifecycle';
import { countSteps } from '../domain/step-count';

/** Maximum number of steps that an advance may leave a sandbox to take, over all its subscriptions. */
export const MAX_STEPS = 10_000;
/** Above this many subscriptions, the error does not include an instant that the clock can reach. */
const MAX_SEARCHED_SUBSCRIPTIONS = 500;
/** Iterations of the bisection that finds that instant. */
const MAX_BISECTIONS = 12;

/**
 * Rejects an advance that would leave a sandbox with more than {@link MAX_STEPS} steps to take. Outstanding steps of
 * earlier advances count too, so several advances cannot exceed the limit together.
 *
 * @param waking subscriptions that wake by `until`; `MAX_STEPS + 1` of them are enough
 * @throws TollgateError clock_too_many_steps with both numbers and, if it was found, the latest reachable instant
 */
export function assertStepLimit(waking: readonly LifecycleView[], before: Instant, until: Instant): void {
  const isMore = waking.length > MAX_STEPS;
  const steps = isMore ? waking.length : stepsOf(waking, until);
  if (steps <= MAX_STEPS) return;
  const count = `${isMore ? 'at least ' : ''}${formatCount(steps)}`;
  const subscriptions = countInWords(waking.length, 'subscription', formatCount(waking.length));
  const excess = `${formatCount(steps - MAX_STEPS)} more than the ${formatCount(MAX_STEPS)} of one advance`;
  const reachable =
    waking.length > MAX_SEARCHED_SUBSCRIPTIONS ? null : latestReachable(waking, before, until);
  const hint = reachable === null ? '' : ` The clock can go to ${new Date(reachable).toISOString()}.`;
  throw new TollgateError(
    'clock_too_many_steps',
    `The advance would cause ${count} billing steps of ${subscriptions}, ${excess}.${hint}`,
    {
      extra: {
        steps,
        mostSteps: MAX_STEPS,
        ...(reachable !== null && { reachable: new Date(reachable).toISOString() }),
      },
    },
  );
}

function stepsOf(waking: readonly LifecycleView[], until: Instant): number {
  return waking.reduce((sum, subscription) => sum + countSteps(subscription, until), 0);
}

/** Finds the latest instant within the limit, by bisection; null if the outstanding steps already exceed it. */
function latestReachable(waking: readonly LifecycleView[], before: Instant, until: Instant): Instant | null {
  let [near, far] = [before, until];
  if (stepsOf(waking, near) > MAX_STEPS) return null;
  for (let half = 0; half < MAX_BISECTIONS; half += 1) {
    const middle = Math.floor((near + far) / 2);
    if (stepsOf(waking, middle) > MAX_STEPS) far = middle;
    else near = middle;
  }
  return near === before ? null : near;
}

function formatCount(count: number): string {
  return count.toLocaleString('en');
}
