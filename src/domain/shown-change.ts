import type { ChangePlan, PlanAndSeats } from './change-types';
import { displayPlan } from './display-text';
import { TollgateError } from './errors';
import type { Instant } from './instant';
import { isSamePlanAndSeats } from './same-plan-and-seats';

/** A change as it was shown when it was agreed to. `dueNow` is in minor units. */
export interface ShownChange {
  effective: string;
  /** When it takes effect; omitted if the caller does not say. */
  effectiveAt?: Instant | undefined;
  dueNow: bigint;
  /** The planned change that it would replace; omitted if the caller does not say. */
  withdraws?: Pick<PlanAndSeats, 'planId' | 'seats'> | null | undefined;
}

/**
 * Both sides of a proration and its tax are rounded separately, so a moment later the total may be higher by up to
 * this.
 */
const MAX_BY_ROUNDING = 3n;

/**
 * Refuses a change that differs from what was shown, because the subscription, the plan or the tax has changed since.
 * Time alone only makes it cheaper.
 *
 * @throws TollgateError change_differs
 */
export function requireAsShown(
  plan: Pick<ChangePlan, 'effective' | 'effectiveAt' | 'transaction' | 'withdraws'>,
  shown: ShownChange,
): void {
  const { transaction, withdraws } = plan;
  const agreed = shown.dueNow > 0n ? shown.dueNow : 0n;
  const isDearer = (transaction?.total ?? 0n) > agreed + MAX_BY_ROUNDING;
  if (isAtAnotherTime(plan, shown) || isDearer) {
    throw new TollgateError(
      'change_differs',
      'The change would take effect at another time than was shown, or cost more.',
    );
  }
  // A withdrawal that was shown but is no longer needed does no harm.
  if (withdraws === null || shown.withdraws === undefined) return;
  if (shown.withdraws !== null && isSamePlanAndSeats(withdraws, shown.withdraws)) return;
  throw new TollgateError(
    'change_differs',
    `The change would replace the one to ${displayPlan(withdraws)} that has been planned in the meantime.`,
  );
}

/**
 * An immediate change takes effect now, whenever it was shown. A change that waits may have been shown for a renewal
 * that has passed.
 */
function isAtAnotherTime(
  { effective, effectiveAt }: Pick<ChangePlan, 'effective' | 'effectiveAt'>,
  shown: ShownChange,
): boolean {
  if (effective !== shown.effective) return true;
  return effective !== 'immediate' && shown.effectiveAt !== undefined && effectiveAt !== shown.effectiveAt;
}
