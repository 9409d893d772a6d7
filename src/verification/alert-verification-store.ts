import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';
import { findingOf, type Finding } from './finding-store';

/** What alerts are of: one counter. */
const COUNTER = 'subscription_id, feature, reset_interval, period_start';

/** Those of quotas that are kept. */
const ALERTS = `
  SELECT e.data ->> 'subscriptionId' AS subscription_id, e.data ->> 'feature' AS feature,
         e.data ->> 'resetInterval' AS reset_interval, e.data -> 'period' ->> 'start' AS period_start,
         (e.data ->> 'quota')::numeric AS quota, e.data ->> 'percent' AS percent,
         e.data ->> 'customerId' AS customer_id, e.sequence
    FROM tollgate.developer_events e
   WHERE e.workspace_id = :workspaceId AND e.environment = :environment AND e.type = 'USAGE_THRESHOLD_REACHED'`;

/**
 * Alerts of a quota that were notified twice, among the developer events that are kept. Another quota arms them again, so
 * those with an alert of another one between them are two. The order is that of the sequence: tracks of a customer
 * wait for each other.
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
 * Counters that do not have the last alert that was notified of them: they would notify it again. The event has the quota as
 * a JSON number, with fewer digits than a quota may have.
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

/**
 * Customers that were notified of low credits more often than they have grants that say so: each time one was marked that
 * was not before.
 */
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
