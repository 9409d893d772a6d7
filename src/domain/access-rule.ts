import type { AccessDecision } from './access-types';

/** The rules by which access is decided: five that grant, then those that deny. */
export const ACCESS_RULES = [
  'included',
  'unlimited',
  'within_quota',
  'credits',
  'overage',
  'no_active_subscription',
  'feature_not_in_plan',
  'quota_exceeded',
  'subscription_past_due',
] as const;
export type AccessRule = (typeof ACCESS_RULES)[number];

/**
 * The rule that decided: of a denial its reason; of a grant the last thing that was needed. `included` is a boolean
 * feature, which a plan has or has not.
 */
export function ruleOf({ reason, before, deductions }: AccessDecision): AccessRule {
  if (reason !== null) return reason.code;
  if (before.unlimited) return 'unlimited';
  const last = deductions.at(-1);
  if (last === undefined) return 'included';
  return last.from === 'quota' ? 'within_quota' : last.from;
}
