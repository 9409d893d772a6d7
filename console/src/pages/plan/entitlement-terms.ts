import type { PlanEntitlement } from '../../api/resources';

/** The terms of a metered feature in a plan, as they are typed. */
export interface EntitlementTerms {
  quota: number | string;
  isUnlimited: boolean;
  perSeat: boolean;
  resetInterval: PlanEntitlement['resetInterval'];
  enforcement: PlanEntitlement['enforcement'];
  rollover: RolloverTerms;
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
  perSeat: false,
  resetInterval: 'billing_period',
  enforcement: 'hard',
  rollover: { periods: '', max: '', use: 'last' },
};

export function termsOf({ quota, unlimited, rollover, ...terms }: PlanEntitlement): EntitlementTerms {
  const { perSeat, resetInterval, enforcement } = terms;
  return {
    quota: quota ?? NEW_TERMS.quota,
    isUnlimited: unlimited,
    perSeat,
    resetInterval,
    enforcement,
    rollover: rollover === null ? NEW_TERMS.rollover : { ...rollover, max: rollover.max ?? '' },
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

/** As the API takes them: a quota of null is unlimited, and a rollover of null is none. */
export function toBody({ rollover, ...terms }: EntitlementTerms) {
  const { quota, isUnlimited, perSeat, resetInterval, enforcement } = terms;
  const { periods, max, use } = rollover;
  return {
    quota: isUnlimited ? null : Number(quota),
    perSeat,
    resetInterval,
    enforcement,
    rollover:
      canRollOver(terms) && Number(periods) > 0
        ? { periods: Number(periods), max: max === '' ? null : Number(max), use }
        : null,
  };
}
