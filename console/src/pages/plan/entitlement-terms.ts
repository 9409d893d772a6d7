import type { PlanEntitlement } from '../../api/resources';
import { percentsProblem } from '../../ui/PercentsInput';
import { MAX_UNITS, numberProblem, type TypedNumber } from '../../ui/typed-number';

/** Terms of a metered feature in a plan, as typed. */
export interface EntitlementTerms {
  quota: TypedNumber;
  isUnlimited: boolean;
  /** Empty: entities share the quota. */
  entityQuota: TypedNumber;
  perSeat: boolean;
  resetInterval: PlanEntitlement['resetInterval'];
  enforcement: PlanEntitlement['enforcement'];
  rollover: RolloverTerms;
  /** Whether it has its own alerts; otherwise the workspace's apply. */
  hasAlerts: boolean;
  alertPercents: string[];
}

/** Rollover of unused quota to later periods, as typed. */
interface RolloverTerms {
  /** Empty or 0: no rollover. */
  periods: TypedNumber;
  /** Empty: no limit. */
  max: TypedNumber;
  use: 'first' | 'last';
}

/** Maximum number of later usage periods in which unused quota may be used. */
const MAX_ROLLOVER = 36;

export const NEW_TERMS: EntitlementTerms = {
  quota: 1_000,
  isUnlimited: false,
  entityQuota: '',
  perSeat: false,
  resetInterval: 'billing_period',
  enforcement: 'hard',
  rollover: { periods: '', max: '', use: 'last' },
  hasAlerts: false,
  alertPercents: [],
};

export function termsOf({
  quota,
  entityQuota,
  rollover,
  alertPercents,
  ...terms
}: PlanEntitlement): EntitlementTerms {
  const { perSeat, resetInterval, enforcement } = terms;
  return {
    quota: quota ?? NEW_TERMS.quota,
    isUnlimited: quota === null,
    entityQuota: entityQuota ?? '',
    perSeat,
    resetInterval,
    enforcement,
    rollover: rollover === null ? NEW_TERMS.rollover : { ...rollover, max: rollover.max ?? '' },
    hasAlerts: alertPercents !== null,
    alertPercents: alertPercents?.map(String) ?? [],
  };
}

/** Returns whether unused quota can be left for a later period. */
export function canRollOver({
  isUnlimited,
  resetInterval,
}: Pick<EntitlementTerms, 'isUnlimited' | 'resetInterval'>): boolean {
  return !isUnlimited && resetInterval !== 'never';
}

/** Validation of each member of the terms; null if it is valid. */
export const TERM_RULES = {
  quota: (quota: TypedNumber, { isUnlimited }: EntitlementTerms): string | null => {
    if (isUnlimited) return null;
    return quota === '' ? 'Enter the quota, or choose Unlimited.' : numberProblem(quota, { max: MAX_UNITS });
  },
  entityQuota: (quota: TypedNumber): string | null =>
    numberProblem(quota, { max: MAX_UNITS, optional: true }),
  rollover: {
    periods: (periods: TypedNumber, terms: EntitlementTerms): string | null =>
      canRollOver(terms) ? numberProblem(periods, { max: MAX_ROLLOVER, whole: true, optional: true }) : null,
    max: (max: TypedNumber, terms: EntitlementTerms): string | null =>
      rollsOver(terms) ? numberProblem(max, { max: MAX_UNITS, optional: true }) : null,
  },
  alertPercents: (percents: string[], { hasAlerts }: EntitlementTerms): string | null =>
    hasAlerts ? percentsProblem(percents) : null,
};

/** Returns whether unused quota rolls over, according to the input. */
export function rollsOver(
  terms: Pick<EntitlementTerms, 'isUnlimited' | 'resetInterval' | 'rollover'>,
): boolean {
  return canRollOver(terms) && Number(terms.rollover.periods) > 0;
}

/**
 * Converts the terms for the API: a quota of null is unlimited, a rollover of null is none, alerts of null are the
 * workspace's.
 */
export function toBody({ rollover, hasAlerts, alertPercents, ...terms }: EntitlementTerms) {
  const { quota, isUnlimited, entityQuota, perSeat, resetInterval, enforcement } = terms;
  const { periods, max, use } = rollover;
  return {
    quota: isUnlimited ? null : Number(quota),
    entityQuota: entityQuota === '' ? null : Number(entityQuota),
    perSeat,
    resetInterval,
    enforcement,
    rollover: rollsOver({ ...terms, rollover })
      ? { periods: Number(periods), max: max === '' ? null : Number(max), use }
      : null,
    alertPercents: hasAlerts ? alertPercents.map(Number) : null,
  };
}
