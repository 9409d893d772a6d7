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

export type BillingInterval = 'month' | 'year';
export type Pricing = 'flat' | 'per_seat';

/** Greatest number of seats of a subscription. */
export const MAX_SEATS = 1_000_000;
