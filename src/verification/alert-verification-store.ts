import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';
import { findingOf, type Finding } from './finding-store';

/** What alerts are of: one counter. */
const COUNTER = 'subscription_id, feature, reset_interval, period_start';

/**
 * Alerts of a quota that were notified twice, among the developer events that are kept. Another quota arms them again, so
 * those with an alert of another one between them are two. The order is that of the sequence: tracks of a customer
 * wait for each other.
 */
export async function repeatedAlerts(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH alerts AS (
       SELECT e.data ->> 'subscriptionId' AS subscription_id, e.data ->> 'feature' AS feature,
              e.data ->> 'resetInterval' AS reset_interval, e.data -> 'period' ->> 'start' AS period_start,
              (e.data ->> 'quota')::numeric AS quota, e.data ->> 'percent' AS percent, e.sequence
         FROM tollgate.developer_events e
        WHERE e.workspace_id = :workspaceId AND e.environment = :environment AND e.type = 'USAGE_THRESHOLD_REACHED'),
     changes AS (
       SELECT *, quota IS DISTINCT FROM lag(quota) OVER (PARTITION BY ${COUNTER} ORDER BY sequence) AS is_change FROM alerts),
     runs AS (
       SELECT *, count(*) FILTER (WHERE is_change) OVER (PARTITION BY ${COUNTER} ORDER BY sequence) AS run FROM changes)
     SELECT format('alert of %s, %s, %s from %s: %s %% of %s was notified %s times',
              ${COUNTER}, percent, quota, count(*)) AS example
       FROM runs GROUP BY ${COUNTER}, run, quota, percent HAVING count(*) > 1`,
  );
}
