import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';
import { findingOf, type Finding } from './finding-store';

/** The charges for each period of a local-billing subscription, in order. */
const CHARGES = `
  SELECT t.id, t.subscription_id, t.kind, t.period_start, t.period_end,
         lag(t.period_end) OVER periods AS before_end,
         lead(t.period_start) OVER periods IS NULL AS is_last
    FROM tollgate.subscription_transactions t
    JOIN tollgate.subscriptions s USING (workspace_id, environment)
   WHERE t.workspace_id = :workspaceId AND t.environment = :environment AND s.id = t.subscription_id
     AND s.provider = 'internal' AND t.kind IN ('initial', 'renewal')
  WINDOW periods AS (PARTITION BY t.subscription_id ORDER BY t.period_start)`;

/** Finds charges that leave a gap after the previous one, or overlap with it. */
export async function tilingDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `SELECT format('subscription %s: %s %s begins at %s, the charge before ended at %s', subscription_id, kind, id, period_start, before_end) AS example
       FROM (${CHARGES}) AS charges
      WHERE before_end IS NOT NULL AND (period_start <> before_end OR kind = 'initial')`,
  );
}

/**
 * Finds subscriptions whose first charge does not begin with them, or whose last one is not for the current period. A
 * trial has no charge. Neither have the first periods of subscriptions older than charges, which have no history
 * either.
 */
export async function currentPeriodDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH charges AS (${CHARGES})
     SELECT format('subscription %s: initial charge %s from %s, started at %s', s.id, c.id, c.period_start, s.started_at) AS example
       FROM tollgate.subscriptions s JOIN charges c ON c.subscription_id = s.id
      WHERE s.workspace_id = :workspaceId AND s.environment = :environment AND c.kind = 'initial'
        AND NOT (s.started_at < c.period_end
                 AND CASE WHEN s.trial_end IS NULL THEN s.started_at >= c.period_start ELSE s.trial_end = c.period_start END)
      UNION ALL
     SELECT format('subscription %s: its period lasts from %s to %s, its last charge from %s to %s', s.id,
              s.current_period_start, s.current_period_end, c.period_start, c.period_end)
       FROM tollgate.subscriptions s JOIN charges c ON c.subscription_id = s.id AND c.is_last
      WHERE s.workspace_id = :workspaceId AND s.environment = :environment
        AND (s.current_period_start, s.current_period_end) <> (c.period_start, c.period_end)
      UNION ALL
     SELECT format('subscription %s: no charge for its period from %s', s.id, s.current_period_start)
       FROM tollgate.subscriptions s
      WHERE s.workspace_id = :workspaceId AND s.environment = :environment AND s.provider = 'internal'
        AND (s.trial_end IS NULL OR s.current_period_start >= s.trial_end)
        AND NOT EXISTS (SELECT FROM charges c WHERE c.subscription_id = s.id)
        AND EXISTS (SELECT FROM tollgate.subscription_history h
                     WHERE h.workspace_id = s.workspace_id AND h.environment = s.environment
                       AND h.subscription_id = s.id AND h.kind IN ('created', 'checkout_created'))`,
  );
}

/** Finds subscriptions whose past-due instant does not match their earliest unpaid transaction. */
export async function dueDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH due AS (
       SELECT subscription_id AS id, min(due_at) AS due_at FROM tollgate.subscription_transactions
        WHERE workspace_id = :workspaceId AND environment = :environment AND status IN ('pending', 'partially_paid')
        GROUP BY subscription_id)
     SELECT format('subscription %s: %s, payment due at %s, its earliest open transaction at %s', s.id, s.status, s.payment_due_at, due.due_at) AS example
       FROM tollgate.subscriptions s LEFT JOIN due USING (id)
      WHERE s.workspace_id = :workspaceId AND s.environment = :environment AND s.provider = 'internal'
        AND (s.payment_due_at IS DISTINCT FROM due.due_at
             OR (s.status IN ('cancelled', 'expired') AND due.due_at IS NOT NULL))`,
  );
}

/** Finds open subscriptions and open checkouts without a wake-up. */
export async function wakeDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `SELECT format('subscription %s: %s, and never wakes', s.id, s.status) AS example
       FROM tollgate.subscriptions s
      WHERE s.workspace_id = :workspaceId AND s.environment = :environment
        AND s.status IN ('trialing', 'active', 'past_due') AND s.next_wake_at IS NULL
      UNION ALL
     SELECT format('checkout %s: open, wakes at %s%s', k.id, COALESCE(k.next_wake_at::text, 'no time'),
              ', its subscription is ' || s.status)
       FROM tollgate.checkouts k
       LEFT JOIN tollgate.subscriptions s
         ON s.workspace_id = k.workspace_id AND s.environment = k.environment AND s.id = k.subscription_id
      WHERE k.workspace_id = :workspaceId AND k.environment = :environment AND k.status = 'open'
        AND (k.next_wake_at IS NULL OR s.status <> 'incomplete')`,
  );
}
