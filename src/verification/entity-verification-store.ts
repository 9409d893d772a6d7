import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';
import { findingOf, type Finding } from './finding-store';
import { DEDUCTION_MEMBERS } from './usage-verification-store';

/**
 * Finds counters of entities that do not equal the sum of their events' deductions. Counters of erased customers are
 * deleted, and their events name no entity.
 */
export async function entityDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH events AS (
       SELECT e.id, e.customer_id, e.feature_id, e.entity, e.deductions
         FROM tollgate.usage_events e
         JOIN tollgate.customers c
           ON c.workspace_id = :workspaceId AND c.environment = :environment AND c.id = e.customer_id
        WHERE e.workspace_id = :workspaceId AND e.environment = :environment AND e.entity IS NOT NULL
          AND c.erased_at IS NULL),
     parts AS (
       SELECT e.customer_id, e.feature_id, e.entity, d."from", d.quantity, d."subscriptionId", d."resetInterval", d."periodStart"
         FROM events e CROSS JOIN LATERAL json_to_recordset(e.deductions) AS d (${DEDUCTION_MEMBERS})
        UNION ALL
       SELECT e.customer_id, e.feature_id, e.entity, d."from", -d.quantity, d."subscriptionId", d."resetInterval", d."periodStart"
         FROM events e
         JOIN tollgate.usage_reversals r
           ON r.workspace_id = :workspaceId AND r.environment = :environment AND r.event_id = e.id
        CROSS JOIN LATERAL json_to_recordset(r.deductions) AS d (${DEDUCTION_MEMBERS})),
     taken AS (
       SELECT customer_id, feature_id, entity, "subscriptionId" AS subscription_id, "resetInterval" AS reset_interval,
              "periodStart" AS period_start,
              COALESCE(sum(quantity) FILTER (WHERE "from" = 'quota'), 0) AS quota_used,
              COALESCE(sum(quantity) FILTER (WHERE "from" = 'rollover'), 0) AS rollover_used,
              COALESCE(sum(quantity) FILTER (WHERE "from" = 'credits'), 0) AS credit_used,
              COALESCE(sum(quantity) FILTER (WHERE "from" = 'overage'), 0) AS overage_used
         FROM parts GROUP BY customer_id, feature_id, entity, "subscriptionId", "resetInterval", "periodStart"),
     kept AS (
       SELECT n.* FROM tollgate.entity_counters n
         JOIN tollgate.customers c
           ON c.workspace_id = :workspaceId AND c.environment = :environment AND c.id = n.customer_id
        WHERE n.workspace_id = :workspaceId AND n.environment = :environment AND c.erased_at IS NULL)
     SELECT format('counter of an entity of %s, %s, %s, %s from %s: holds %s/%s/%s/%s, its events took %s/%s/%s/%s (quota/rollover/credits/overage)',
              customer_id, feature_id, subscription_id, reset_interval, period_start,
              kept.quota_used, kept.rollover_used, kept.credit_used, kept.overage_used,
              taken.quota_used, taken.rollover_used, taken.credit_used, taken.overage_used) AS example
       FROM kept FULL JOIN taken USING (customer_id, feature_id, entity, subscription_id, reset_interval, period_start)
      WHERE (COALESCE(kept.quota_used, 0), COALESCE(kept.rollover_used, 0), COALESCE(kept.credit_used, 0), COALESCE(kept.overage_used, 0))
         <> (COALESCE(taken.quota_used, 0), COALESCE(taken.rollover_used, 0), COALESCE(taken.credit_used, 0), COALESCE(taken.overage_used, 0))`,
  );
}
