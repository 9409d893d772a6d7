import type { PlanEntitlement } from '../../api/resources';

/** The terms of a metered feature in a plan, as they are typed. */
export interface EntitlementTerms {
  quota: number | string;
  isUnlimited: boolean;
  perSeat: boolean;
  resetInterval: PlanEntitlement['resetInterval'];
  enforcement: PlanEntitlement['enforcement'];
  /** Whether it has alerts of its own; otherwise it has the workspace's. */
  hasAlerts: boolean;
  alertPercents: string[];
}

export const NEW_TERMS: EntitlementTerms = {
  quota: 1_000,
  isUnlimited: false,
  perSeat: false,
  resetInterval: 'billing_period',
  enforcement: 'hard',
  hasAlerts: false,
  alertPercents: [],
};

export function termsOf({ quota, unlimited, alertPercents, ...terms }: PlanEntitlement): EntitlementTerms {
  const { perSeat, resetInterval, enforcement } = terms;
  return {
    ...{ quota: quota ?? NEW_TERMS.quota, isUnlimited: unlimited, perSeat, resetInterval, enforcement },
    hasAlerts: alertPercents !== null,
    alertPercents: alertPercents?.map(String) ?? [],
  };
}

/** What is wrong with a quota; null where nothing is. */
export function quotaProblem(quota: number | string, { isUnlimited }: EntitlementTerms): string | null {
  return !isUnlimited && quota === '' ? 'Enter the quota, or choose Unlimited.' : null;
}

/** As the API takes them: a quota of null is unlimited, and alerts of null are the workspace's. */
export function toBody({ quota, isUnlimited, hasAlerts, alertPercents, ...terms }: EntitlementTerms) {
  return {
    ...terms,
    quota: isUnlimited ? null : Number(quota),
    alertPercents: hasAlerts ? alertPercents.map(Number) : null,
  };
}
