import type { Awaited } from '../domain/awaited';

const OPEN = "s.status IN ('trialing', 'active', 'past_due')";
const UNSETTLED = "s.provider_work ->> 'unsettled' IS NOT NULL";
const REQUEST = "s.provider_work ->> 'request' IS NOT NULL";
const NO_WORK = "s.provider_work ->> 'unsettled' IS NULL AND s.provider_work ->> 'request' IS NULL";
const CURRENT = `s.status IN ('trialing', 'active') AND ${NO_WORK}`;
const ENDS = '(s.cancel_at IS NOT NULL OR s.cancel_at_period_end)';

/**
 * `awaited` of `src/domain` as conditions on `tollgate.subscriptions`; a test compares the two. The wording matches the
 * indexes' predicates, because that decides whether an index is used.
 */
export const AWAITED_CONDITIONS: Record<Awaited, string> = {
  checkout: "s.status = 'incomplete'",
  provider: `${OPEN} AND ${UNSETTLED}`,
  approval: `${OPEN} AND NOT (${UNSETTLED}) AND ${REQUEST}`,
  payment: `s.status = 'past_due' AND ${NO_WORK}`,
  end: `${CURRENT} AND ${ENDS}`,
  change: `${CURRENT} AND NOT ${ENDS} AND s.scheduled_plan_id IS NOT NULL`,
  trial_end: `s.status = 'trialing' AND ${NO_WORK} AND NOT ${ENDS} AND s.scheduled_plan_id IS NULL`,
  renewal: `s.status = 'active' AND ${NO_WORK} AND NOT ${ENDS} AND s.scheduled_plan_id IS NULL`,
};
