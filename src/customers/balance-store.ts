import type { Transaction } from '../db/pools';
import type { Enforcement } from '../domain/access';
import type { Instant } from '../domain/instant';
import type { ResetInterval } from '../domain/period';
import type { BillingInterval, Provider, SubscriptionStatus } from '../domain/subscription';
import type { WorkspaceScope } from '../tenancy/scope';

/** One metered feature in the plan of one open subscription, with its latest counter. Decimals are text. */
export interface BalanceRow {
  feature: string;
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
  pastDueSince: Instant | null;
  quota: string | null;
  perSeat: boolean;
  resetInterval: ResetInterval;
  enforcement: Enforcement;
  creditCost: string | null;
  /** Null when nothing was counted yet; it may be of a usage period that is over. */
  counterStart: Instant | null;
  quotaUsed: string | null;
  used: string | null;
}

/** By feature key. */
export async function readBalanceRows(
  trx: Transaction,
  scope: WorkspaceScope,
  customerId: string,
): Promise<BalanceRow[]> {
  const { rows } = await trx.raw<{ rows: BalanceRow[] }>(
    `SELECT f.key AS feature, s.id AS "subscriptionId", s.plan_id AS "planId", p.slug AS "planSlug", s.provider,
            s.status, s.seats, s.started_at AS "startedAt", s.billing_anchor AS "billingAnchor",
            s.time_zone AS "timeZone", s.billing_interval AS "interval",
            s.current_period_end AS "currentPeriodEnd", s.cancel_at_period_end AS "cancelAtPeriodEnd",
            s.past_due_since AS "pastDueSince", e.quota, e.per_seat AS "perSeat",
            e.reset_interval AS "resetInterval", e.enforcement, e.credit_cost AS "creditCost",
            u.period_start AS "counterStart", u.quota_used AS "quotaUsed",
            u.quota_used + u.credit_used + u.overage_used AS used
       FROM tollgate.subscriptions s
       JOIN tollgate.plans p
         ON p.workspace_id = :workspaceId AND p.environment = :environment AND p.id = s.plan_id
       JOIN tollgate.plan_entitlements e
         ON e.workspace_id = :workspaceId AND e.environment = :environment AND e.plan_id = s.plan_id
       JOIN tollgate.features f
         ON f.workspace_id = :workspaceId AND f.environment = :environment AND f.id = e.feature_id
       LEFT JOIN LATERAL (
         SELECT n.period_start, n.quota_used, n.credit_used, n.overage_used
           FROM tollgate.usage_counters n
          WHERE n.workspace_id = :workspaceId AND n.environment = :environment AND n.customer_id = :customerId
            AND n.feature_id = f.id AND n.subscription_id = s.id AND n.reset_interval = e.reset_interval
          ORDER BY n.period_start DESC LIMIT 1) u ON true
      WHERE s.workspace_id = :workspaceId AND s.environment = :environment AND s.customer_id = :customerId
        AND s.status IN ('trialing', 'active', 'past_due') AND f.kind = 'metered'
      ORDER BY f.key`,
    { workspaceId: scope.workspaceId, environment: scope.environment, customerId },
  );
  return rows;
}
