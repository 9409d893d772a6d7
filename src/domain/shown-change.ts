import type { ChangePlan, PlanAndSeats } from './change-types';
import { displayPlan } from './display-text';
import { TollgateError } from './errors';
import type { Instant } from './instant';
import { isSamePlanAndSeats } from './same-plan-and-seats';

/** What somebody was shown of a change when they agreed to it. `dueNow` in minor units. */
export interface ShownChange {
  effective: string;
  /** When it takes effect; left out by who does not say. */
  effectiveAt?: Instant | undefined;
  dueNow: bigint;
  /** The planned change that it would take the place of; left out by who does not say. */
  withdraws?: Pick<PlanAndSeats, 'planId' | 'seats'> | null | undefined;
}

/** Both sides of a proration and its tax are rounded each for itself: a moment later it may cost so much more. */
const MOST_BY_ROUNDING = 3n;

/**
 * Refuses a change that is no longer what was shown: the subscription, the plan or the tax has changed since. Time alone
 * makes it cheaper.
 *
 * @throws TollgateError change_differs
 */
export function requireAsShown(
  plan: Pick<ChangePlan, 'effective' | 'effectiveAt' | 'transaction' | 'withdraws'>,
  shown: ShownChange,
): void {
  const { transaction, withdraws } = plan;
  const agreed = shown.dueNow > 0n ? shown.dueNow : 0n;
  const isDearer = (transaction?.total ?? 0n) > agreed + MOST_BY_ROUNDING;
  if (isAtAnotherTime(plan, shown) || isDearer) {
    throw new TollgateError(
      'change_differs',
      'The change would take effect at another time than was shown, or cost more.',
    );
  }
  // What was shown to be withdrawn, and is gone by now, harms nobody.
  if (withdraws === null || shown.withdraws === undefined) return;
  if (shown.withdraws !== null && isSamePlanAndSeats(withdraws, shown.withdraws)) return;
  throw new TollgateError(
    'change_differs',
    `The change would take the place of the one to ${displayPlan(withdraws)} that was planned meanwhile.`,
  );
}

/** What is done at once is done now, whenever it was shown. What waits may have been shown for a renewal that is over. */
function isAtAnotherTime(
  { effective, effectiveAt }: Pick<ChangePlan, 'effective' | 'effectiveAt'>,
  shown: ShownChange,
): boolean {
  if (effective !== shown.effective) return true;
  return effective !== 'immediate' && shown.effectiveAt !== undefined && effectiveAt !== shown.effectiveAt;
}
