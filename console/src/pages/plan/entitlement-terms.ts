import type { PlanEntitlement } from '../../api/resources';

/** The terms of a metered feature in a plan, as they are typed. */
export interface EntitlementTerms {
  quota: number | string;
  isUnlimited: boolean;
  perSeat: boolean;
  resetInterval: PlanEntitlement['resetInterval'];
  enforcement: PlanEntitlement['enforcement'];
}

export const NEW_TERMS: EntitlementTerms = {
  quota: 1_000,
  isUnlimited: false,
  perSeat: false,
  resetInterval: 'billing_period',
  enforcement: 'hard',
};

export function termsOf({ quota, unlimited, ...terms }: PlanEntitlement): EntitlementTerms {
  const { perSeat, resetInterval, enforcement } = terms;
  return { quota: quota ?? NEW_TERMS.quota, isUnlimited: unlimited, perSeat, resetInterval, enforcement };
}

/** What is wrong with a quota; null where nothing is. */
export function quotaProblem(quota: number | string, { isUnlimited }: EntitlementTerms): string | null {
  return !isUnlimited && quota === '' ? 'Enter the quota, or choose Unlimited.' : null;
}

/** As the API takes them: a quota of null is unlimited. */
export function toBody({ quota, isUnlimited, perSeat, resetInterval, enforcement }: EntitlementTerms) {
  return { quota: isUnlimited ? null : Number(quota), perSeat, resetInterval, enforcement };
}
