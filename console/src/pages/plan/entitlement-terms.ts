import type { PlanEntitlement } from '../../api/resources';
import { MOST_UNITS, numberProblem, type TypedNumber } from '../../ui/typed-number';

/** The terms of a metered feature in a plan, as they are typed. */
export interface EntitlementTerms {
  quota: TypedNumber;
  isUnlimited: boolean;
  /** Empty: entities share the quota. */
  entityQuota: TypedNumber;
  perSeat: boolean;
  resetInterval: PlanEntitlement['resetInterval'];
  enforcement: PlanEntitlement['enforcement'];
  rollover: RolloverTerms;
  /** Whether it has alerts of its own; otherwise it has the workspace's. */
  hasAlerts: boolean;
  alertPercents: string[];
}

/** How quota that is not used stays for later periods, as it is typed. */
interface RolloverTerms {
  /** Empty or 0: it does not stay. */
  periods: TypedNumber;
  /** Empty: all of it. */
  max: TypedNumber;
  use: 'first' | 'last';
}

/** Usage periods after its own in which what is unused may be used. */
const MOST_ROLLOVER = 36;

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

/** Whether a quota can have something left over for a later period. */
export function canRollOver({
  isUnlimited,
  resetInterval,
}: Pick<EntitlementTerms, 'isUnlimited' | 'resetInterval'>): boolean {
  return !isUnlimited && resetInterval !== 'never';
}

/** What is wrong with each number of the terms; null where nothing is. */
export const TERM_RULES = {
  quota: (quota: TypedNumber, { isUnlimited }: EntitlementTerms): string | null => {
    if (isUnlimited) return null;
    return quota === '' ? 'Enter the quota, or choose Unlimited.' : numberProblem(quota, { max: MOST_UNITS });
  },
  entityQuota: (quota: TypedNumber): string | null =>
    numberProblem(quota, { max: MOST_UNITS, optional: true }),
  rollover: {
    periods: (periods: TypedNumber, terms: EntitlementTerms): string | null =>
      canRollOver(terms) ? numberProblem(periods, { max: MOST_ROLLOVER, whole: true, optional: true }) : null,
    max: (max: TypedNumber, terms: EntitlementTerms): string | null =>
      rollsOver(terms) ? numberProblem(max, { max: MOST_UNITS, optional: true }) : null,
  },
};

/** Whether what is unused stays for a later period, as far as it is typed. */
export function rollsOver(
  terms: Pick<EntitlementTerms, 'isUnlimited' | 'resetInterval' | 'rollover'>,
): boolean {
  return canRollOver(terms) && Number(terms.rollover.periods) > 0;
}

/** As the API takes them: a quota of null is unlimited, a rollover of null is none, alerts of null are the workspace's. */
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
