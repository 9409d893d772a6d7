import type { LifecycleView } from '../../src/domain/lifecycle';

const BASE: Omit<LifecycleView, 'billingAnchor' | 'currentPeriodStart' | 'currentPeriodEnd'> = {
  provider: 'internal',
  status: 'active',
  timeZone: 'UTC',
  interval: 'month',
  trialEnd: null,
  paymentDueAt: null,
  pastDueSince: null,
  incompleteUntil: null,
  scheduledInterval: null,
  nextPeriodIsFree: false,
  pastDueAfterDays: 7,
  expireAfterDays: 30,
};

/**
 * Returns an active row of local billing: monthly in UTC since the start of its period, with nothing open.
 * `changes` override it.
 */
export function lifecycleRow<const Changes extends Partial<LifecycleView>>(
  { start, end }: { start: number; end: number },
  changes: Changes,
) {
  return {
    ...BASE,
    billingAnchor: start,
    currentPeriodStart: start,
    currentPeriodEnd: end,
    ...changes,
  };
}
