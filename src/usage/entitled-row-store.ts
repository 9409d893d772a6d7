import type { Enforcement } from '../domain/access';
import type { Instant } from '../domain/instant';
import type { ResetInterval } from '../domain/period';
import type { BillingInterval, SubscriptionStatus } from '../domain/subscription';
import type { Provider } from '../domain/provider';

/** An open subscription's entitlement to a feature, with its latest counter. Decimals are text. */
export interface EntitledRow {
  subscriptionId: string;
  planId: string;
  planSlug: string;
  provider: Provider;
  status: SubscriptionStatus;
  seats: number;
  startedAt: Instant;
  billingAnchor: Instant;
  timeZone: string;
  interval: BillingInterval;
  currentPeriodEnd: Instant;
  cancelAtPeriodEnd: boolean;
  cancelAt: Instant | null;
  pastDueSince: Instant | null;
  paymentDueAt: Instant | null;
  quota: string | null;
  perSeat: boolean;
  resetInterval: ResetInterval;
  enforcement: Enforcement;
  creditCost: string | null;
  /** Null when nothing was counted yet; it may be of a usage period that is over. */
  counterStart: Instant | null;
  quotaUsed: string;
  creditUsed: string;
  overageUsed: string;
}

/** The row's columns, of a subscription `s`, its plan `p`, the entitlement `e` and the counter `u`. */
export const ENTITLED_COLUMNS = `
  s.id AS "subscriptionId", s.plan_id AS "planId", p.slug AS "planSlug", s.provider, s.status, s.seats,
  s.started_at AS "startedAt", s.billing_anchor AS "billingAnchor", s.time_zone AS "timeZone",
  s.billing_interval AS "interval", s.current_period_end AS "currentPeriodEnd",
  s.cancel_at_period_end AS "cancelAtPeriodEnd", s.cancel_at AS "cancelAt", s.past_due_since AS "pastDueSince",
  s.payment_due_at AS "paymentDueAt",
  e.quota, e.per_seat AS "perSeat", e.reset_interval AS "resetInterval", e.enforcement, e.credit_cost AS "creditCost",
  u.period_start AS "counterStart", u.quota_used AS "quotaUsed", u.credit_used AS "creditUsed",
  u.overage_used AS "overageUsed"`;
