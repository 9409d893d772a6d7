/** State of a subscription in its lifecycle; `cancelled` and `expired` are final. */
export const SUBSCRIPTION_STATUSES = [
  'incomplete',
  'trialing',
  'active',
  'past_due',
  'cancelled',
  'expired',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** A customer has at most one subscription with these statuses per plan group. */
export const OPEN_SUBSCRIPTION_STATUSES: SubscriptionStatus[] = ['trialing', 'active', 'past_due'];

export function hasEnded(status: SubscriptionStatus): status is 'cancelled' | 'expired' {
  return status === 'cancelled' || status === 'expired';
}

export const BILLING_INTERVALS = ['month', 'year'] as const;
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

export const PRICINGS = ['flat', 'per_seat'] as const;
export type Pricing = (typeof PRICINGS)[number];

/** Greatest number of seats of a subscription. */
export const MAX_SEATS = 1_000_000;
