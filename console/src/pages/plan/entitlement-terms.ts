import type { PlanEntitlement } from '../../api/resources';

/** The terms of a metered feature in a plan, as they are typed. */
export interface EntitlementTerms {
  quota: number | string;
  isUnlimited: boolean;
  /** Empty: entities share the quota. */
  entityQuota: number | string;
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
  periods: number | string;
  /** Empty: all of it. */
  max: number | string;
  use: 'first' | 'last';
}

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

/** What is wrong with a quota; null where nothing is. */
export function quotaProblem(quota: number | string, { isUnlimited }: EntitlementTerms): string | null {
  return !isUnlimited && quota === '' ? 'Enter the quota, or choose Unlimited.' : null;
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
    rollover:
      canRollOver(terms) && Number(periods) > 0
        ? { periods: Number(periods), max: max === '' ? null : Number(max), use }
        : null,
    alertPercents: hasAlerts ? alertPercents.map(Number) : null,
  };
}
