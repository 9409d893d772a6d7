import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';
import { findingOf, type Finding } from './finding-store';

/** The key of the counter that an alert belongs to. */
const COUNTER = 'subscription_id, feature, reset_interval, period_start';

/** Quota alerts among the stored developer events. */
const ALERTS = `
  SELECT e.data ->> 'subscriptionId' AS subscription_id, e.data ->> 'feature' AS feature,
         e.data ->> 'resetInterval' AS reset_interval, e.data -> 'period' ->> 'start' AS period_start,
         (e.data ->> 'quota')::numeric AS quota, e.data ->> 'percent' AS percent,
         e.data ->> 'customerId' AS customer_id, e.sequence
    FROM tollgate.developer_events e
   WHERE e.workspace_id = :workspaceId AND e.environment = :environment AND e.type = 'USAGE_THRESHOLD_REACHED'`;

/**
 * Finds quota alerts that were sent twice, among the stored developer events. Another quota arms them again, so two
 * alerts with an alert of another quota between them are not repeated. Ordered by sequence, because tracks of a
 * customer wait for each other.
 */
export async function repeatedAlerts(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH alerts AS (${ALERTS}),
     changes AS (
       SELECT *, quota IS DISTINCT FROM lag(quota) OVER (PARTITION BY ${COUNTER} ORDER BY sequence) AS is_change FROM alerts),
     runs AS (
       SELECT *, count(*) FILTER (WHERE is_change) OVER (PARTITION BY ${COUNTER} ORDER BY sequence) AS run FROM changes)
     SELECT format('alert of %s, %s, %s from %s: %s %% of %s was notified %s times',
              ${COUNTER}, percent, quota, count(*)) AS example
       FROM runs GROUP BY ${COUNTER}, run, quota, percent HAVING count(*) > 1`,
  );
}

/**
 * Finds counters that do not have the last alert sent for them and would send it again. The event stores the quota as a
 * JSON number, with fewer digits than a quota may have.
 */
export async function forgottenAlerts(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH last AS (SELECT DISTINCT ON (${COUNTER}) * FROM (${ALERTS}) AS alerts ORDER BY ${COUNTER}, sequence DESC)
     SELECT format('alert of %s, %s, %s from %s: %s %% of %s was notified last, its counter has %s',
              l.subscription_id, l.feature, l.reset_interval, l.period_start, l.percent, l.quota,
              coalesce(n.alerted_percent || ' % of ' || n.alerted_quota, 'none')) AS example
       FROM last l
       LEFT JOIN tollgate.features f
         ON f.workspace_id = :workspaceId AND f.environment = :environment AND f.key = l.feature
       LEFT JOIN tollgate.usage_counters n
         ON n.workspace_id = :workspaceId AND n.environment = :environment AND n.customer_id = l.customer_id
        AND n.feature_id = f.id AND n.subscription_id = l.subscription_id AND n.reset_interval = l.reset_interval
        AND n.period_start = l.period_start::timestamptz
      WHERE (n.alerted_percent, n.alerted_quota::float8) IS DISTINCT FROM (l.percent::integer, l.quota::float8)`,
  );
}

/** Finds customers with more low-credit alerts than grants marked as alerted: an alert marks at least one grant. */
export async function repeatedCreditAlerts(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH notified AS (
       SELECT e.data ->> 'customerId' AS customer_id, count(*) AS times
         FROM tollgate.developer_events e
        WHERE e.workspace_id = :workspaceId AND e.environment = :environment AND e.type = 'CREDITS_LOW' GROUP BY 1),
     marked AS (
       SELECT customer_id, count(*) AS grants FROM tollgate.credit_grants
        WHERE workspace_id = :workspaceId AND environment = :environment AND low_alerted_at IS NOT NULL GROUP BY 1)
     SELECT format('low credits of %s were notified %s times, of %s grants', customer_id, times, coalesce(grants, 0)) AS example
       FROM notified LEFT JOIN marked USING (customer_id)
      WHERE times > coalesce(grants, 0)`,
  );
}
