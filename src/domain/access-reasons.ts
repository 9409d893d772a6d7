import { DENIAL_CODES } from './access-types';
import type {
  AccessDecision,
  AccessQuestion,
  AccessSnapshot,
  AccessStatus,
  DenialCode,
} from './access-types';
import { formatDecimal, type Decimal } from './decimal';
import type { Period } from './period';

/** The rules by which access is decided: those that grant, then those that deny. */
export const ACCESS_RULES = [
  'included',
  'unlimited',
  'within_quota',
  'rollover',
  'credits',
  'overage',
  ...DENIAL_CODES,
] as const;
type AccessRule = (typeof ACCESS_RULES)[number];

/**
 * Returns the rule that decided: for a denial its reason, for a grant the last kind of units that it needed. `included`
 * is a boolean feature, which a plan either has or lacks.
 */
export function ruleOf({ reason, before, deductions }: AccessDecision): AccessRule {
  if (reason !== null) return reason.code;
  if (before.unlimited) return 'unlimited';
  const last = deductions.at(-1);
  if (last === undefined) return 'included';
  return last.from === 'quota' ? 'within_quota' : last.from;
}

/** Returns why a customer without any entitlement to the feature is refused, in words a customer may read. */
export function refusalWithoutSource(
  accessStatus: AccessStatus,
  featureKey: string,
): { code: DenialCode; message: string } {
  switch (accessStatus) {
    case 'past_due':
      return {
        code: 'subscription_past_due',
        message: `The subscription is past due; "${featureKey}" is available again once the open payment is settled.`,
      };
    case 'none':
      return {
        code: 'no_active_subscription',
        message: `There is no active subscription that could include "${featureKey}".`,
      };
    case 'active':
      return { code: 'feature_not_in_plan', message: `The current plan does not include "${featureKey}".` };
  }
}

/**
 * Returns the sentence for a quantity that quota and credits do not cover.
 * @param uncovered missing units
 * @param quotas units of the quotas that are not free, and those of them that reservations hold
 */
export function quotaExceeded(
  { feature, quantity, now, entity }: Pick<AccessQuestion, 'feature' | 'quantity' | 'now' | 'entity'>,
  uncovered: Decimal,
  { taken, held }: { taken: Decimal; held: Decimal },
  before: AccessSnapshot,
  period: Period,
): string {
  const quota = before.quota ?? 0n;
  const remaining = before.remaining ?? 0n;
  const isCapped = entity !== null && remaining < quota - taken + before.rollover;
  const cap = isCapped ? `, and "${entity.id}" may use ${formatDecimal(remaining)} more` : '';
  const carried = before.rollover > 0n ? ` and ${formatDecimal(before.rollover)} are carried over` : '';
  const byCredits = quantity - uncovered - remaining;
  const credits = byCredits > 0n ? ` and credits cover ${formatDecimal(byCredits)} more` : '';
  const resets =
    period.end === null
      ? 'This quota does not reset.'
      : period.end <= now
        ? `The usage period ended at ${new Date(period.end).toISOString()}.`
        : `The quota resets at ${new Date(period.end).toISOString()}.`;
  return (
    `${formatDecimal(taken - held)} of ${formatDecimal(quota)} "${feature.key}" are used` +
    `${alsoReserved(held)}${carried}${cap}${credits}; ${formatDecimal(quantity)} requested. ${resets}`
  );
}

/** Returns the clause about reserved units that is appended to the used units; empty if none are reserved. */
export function alsoReserved(held: Decimal): string {
  return held > 0n ? ` and ${formatDecimal(held)} are reserved` : '';
}
