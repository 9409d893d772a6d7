import type { ChangePlan, PlanAndSeats } from './change-types';
import { displayPlan } from './display-text';
import { TollgateError } from './errors';
import { isSamePlanAndSeats } from './same-plan-and-seats';

/** What somebody was shown of a change when they agreed to it. `dueNow` in minor units. */
export interface ShownChange {
  effective: string;
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
  { effective, transaction, withdraws }: Pick<ChangePlan, 'effective' | 'transaction' | 'withdraws'>,
  shown: ShownChange,
): void {
  const agreed = shown.dueNow > 0n ? shown.dueNow : 0n;
  const isDearer = (transaction?.total ?? 0n) > agreed + MOST_BY_ROUNDING;
  if (effective !== shown.effective || isDearer) {
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
