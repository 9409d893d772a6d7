import type { ChangePlan } from './change-types';
import { TollgateError } from './errors';

/** What somebody was shown of a change when they agreed to it. `dueNow` in minor units. */
export interface ShownChange {
  effective: string;
  dueNow: bigint;
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
  { effective, transaction }: Pick<ChangePlan, 'effective' | 'transaction'>,
  shown: ShownChange,
): void {
  const agreed = shown.dueNow > 0n ? shown.dueNow : 0n;
  const isDearer = (transaction?.total ?? 0n) > agreed + MOST_BY_ROUNDING;
  if (effective === shown.effective && !isDearer) return;
  throw new TollgateError(
    'change_differs',
    'The change would take effect at another time than was shown, or cost more.',
  );
}
