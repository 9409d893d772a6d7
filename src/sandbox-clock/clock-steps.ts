import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { LifecycleView } from '../domain/lifecycle';
import { countSteps } from '../domain/step-count';

/** So many steps, of all its subscriptions together, a sandbox may have to take after one advance. */
export const MOST_STEPS = 10_000;
/** Of more subscriptions than this, no instant is looked for that could be advanced to. */
const LOOKED_THROUGH = 500;
/** So often half of the way is tried. */
const HALVES = 12;

/**
 * Refuses an advance that would leave a sandbox's workers more than they should have to do at once. What they have
 * still to catch up on counts too, so that many advances come to no more than one.
 *
 * @param waking subscriptions that wake by then; more than `MOST_STEPS` of them are more than enough
 * @throws TollgateError clock_too_many_steps with the numbers, and how far the clock can go
 */
export function refuseTooManySteps(waking: readonly LifecycleView[], before: Instant, until: Instant): void {
  const isMore = waking.length > MOST_STEPS;
  const steps = isMore ? waking.length : stepsOf(waking, until);
  if (steps <= MOST_STEPS) return;
  const count = `${isMore ? 'at least ' : ''}${inWords(steps)}`;
  const beyond = `${inWords(steps - MOST_STEPS)} more than the ${inWords(MOST_STEPS)} of one advance`;
  const reachable = waking.length > LOOKED_THROUGH ? null : furthest(waking, before, until);
  const rather = reachable === null ? '' : ` The clock can go to ${new Date(reachable).toISOString()}.`;
  throw new TollgateError(
    'clock_too_many_steps',
    `The sandbox would have ${count} steps to take over ${inWords(waking.length)} subscriptions, ${beyond}.${rather}`,
    {
      extra: {
        steps,
        mostSteps: MOST_STEPS,
        ...(reachable !== null && { reachable: new Date(reachable).toISOString() }),
      },
    },
  );
}

function stepsOf(waking: readonly LifecycleView[], until: Instant): number {
  return waking.reduce((sum, subscription) => sum + countSteps(subscription, until), 0);
}

/** An instant nearly as far as the clock can go; null where what is to be caught up on is too much already. */
function furthest(waking: readonly LifecycleView[], before: Instant, until: Instant): Instant | null {
  let [near, far] = [before, until];
  if (stepsOf(waking, near) > MOST_STEPS) return null;
  for (let half = 0; half < HALVES; half += 1) {
    const middle = Math.floor((near + far) / 2);
    if (stepsOf(waking, middle) > MOST_STEPS) far = middle;
    else near = middle;
  }
  return near === before ? null : near;
}

function inWords(count: number): string {
  return count.toLocaleString('en');
}
