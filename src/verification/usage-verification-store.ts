import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';
import { findingOf, type Finding } from './finding-store';

export interface UsageTotals {
  events: number;
  counters: number;
  grants: number;
}

/** The members of a stored deduction. */
export const DEDUCTION_MEMBERS = `"from" text, quantity numeric, "subscriptionId" text, "resetInterval" text, "periodStart" timestamptz,
     "grantId" text, credits numeric, "originStart" timestamptz`;

/** The deductions of tracks, one row for each deduction of each event, and of reversals as negative amounts. */
const DEDUCTIONS = `
  SELECT e.customer_id, e.feature_id, d.*
    FROM tollgate.usage_events e CROSS JOIN LATERAL json_to_recordset(e.deductions) AS d (${DEDUCTION_MEMBERS})
   WHERE e.workspace_id = :workspaceId AND e.environment = :environment
   UNION ALL
  SELECT r.customer_id, r.feature_id, d."from", -d.quantity, d."subscriptionId", d."resetInterval", d."periodStart",
         d."grantId", -d.credits, d."originStart"
    FROM tollgate.usage_reversals r CROSS JOIN LATERAL json_to_recordset(r.deductions) AS d (${DEDUCTION_MEMBERS})
   WHERE r.workspace_id = :workspaceId AND r.environment = :environment`;

/** Counts usage. Each statement sees one snapshot, so tracks that commit concurrently make no difference. */
export async function countUsage(trx: DbTransaction, scope: WorkspaceScope): Promise<UsageTotals> {
  const { rows } = await trx.raw<{ rows: { events: string; counters: string; grants: string }[] }>(
    `SELECT (SELECT count(*) FROM tollgate.usage_events WHERE workspace_id = :workspaceId AND environment = :environment) AS events,
            (SELECT count(*) FROM tollgate.usage_counters WHERE workspace_id = :workspaceId AND environment = :environment) AS counters,
            (SELECT count(*) FROM tollgate.credit_grants WHERE workspace_id = :workspaceId AND environment = :environment) AS grants`,
    { ...scope },
  );
  const [totals] = rows;
  return {
    events: Number(totals?.events ?? 0),
    counters: Number(totals?.counters ?? 0),
    grants: Number(totals?.grants ?? 0),
  };
}

/** Finds counters that do not equal the sum of their events' deductions, including events without a counter. */
export async function counterDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH deductions AS (${DEDUCTIONS}),
     taken AS (
       SELECT customer_id, feature_id, "subscriptionId" AS subscription_id, "resetInterval" AS reset_interval,
              "periodStart" AS period_start,
              COALESCE(sum(quantity) FILTER (WHERE "from" = 'quota'), 0) AS quota_used,
              COALESCE(sum(quantity) FILTER (WHERE "from" = 'credits'), 0) AS credit_used,
              COALESCE(sum(quantity) FILTER (WHERE "from" = 'overage'), 0) AS overage_used,
              COALESCE(sum(quantity) FILTER (WHERE "from" = 'rollover'), 0) AS rollover_used,
              COALESCE(sum(quantity) FILTER (WHERE "from" = 'origin'), 0) AS used_later
         FROM (SELECT * FROM deductions
                UNION ALL
               SELECT customer_id, feature_id, 'origin', quantity, "subscriptionId", "resetInterval", "originStart", NULL, NULL, NULL
                 FROM deductions WHERE "from" = 'rollover') AS counted
        GROUP BY customer_id, feature_id, "subscriptionId", "resetInterval", "periodStart"),
     kept AS (
       SELECT * FROM tollgate.usage_counters WHERE workspace_id = :workspaceId AND environment = :environment)
     SELECT format('counter of %s, %s, %s, %s from %s: holds %s/%s/%s/%s/%s, its events took %s/%s/%s/%s/%s (quota/credits/overage/rollover/used later)',
              customer_id, feature_id, subscription_id, reset_interval, period_start,
              kept.quota_used, kept.credit_used, kept.overage_used, kept.rollover_used, kept.used_later,
              taken.quota_used, taken.credit_used, taken.overage_used, taken.rollover_used, taken.used_later) AS example
       FROM kept FULL JOIN taken USING (customer_id, feature_id, subscription_id, reset_interval, period_start)
      WHERE (COALESCE(kept.quota_used, 0), COALESCE(kept.credit_used, 0), COALESCE(kept.overage_used, 0),
             COALESCE(kept.rollover_used, 0), COALESCE(kept.used_later, 0))
         <> (COALESCE(taken.quota_used, 0), COALESCE(taken.credit_used, 0), COALESCE(taken.overage_used, 0),
             COALESCE(taken.rollover_used, 0), COALESCE(taken.used_later, 0))`,
  );
}

/** Finds grants whose remainder is not their amount less their events' deductions, or that exist only in events. */
export async function creditDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH taken AS (
       SELECT "grantId" AS id, sum(credits) AS credits FROM (${DEDUCTIONS}) AS deductions
        WHERE "from" = 'credits' GROUP BY "grantId"),
     kept AS (
       SELECT id, amount, remaining FROM tollgate.credit_grants
        WHERE workspace_id = :workspaceId AND environment = :environment)
     SELECT format('grant %s: %s of %s left, its events took %s', id, remaining, amount, COALESCE(credits, 0)) AS example
       FROM kept FULL JOIN taken USING (id)
      WHERE amount IS NULL OR remaining <> amount - COALESCE(credits, 0)`,
  );
}

/** Finds events whose deductions do not add up to their quantity. */
export async function eventDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `SELECT format('event %s: quantity %s, deductions %s', e.id, e.quantity, COALESCE(d.quantity, 0)) AS example
       FROM tollgate.usage_events e
      CROSS JOIN LATERAL (SELECT sum(quantity) AS quantity FROM json_to_recordset(e.deductions) AS d (quantity numeric)) AS d
      WHERE e.workspace_id = :workspaceId AND e.environment = :environment AND e.quantity <> COALESCE(d.quantity, 0)`,
  );
}

/**
 * Finds reversals that do not match their event: the event is missing, they return more than it took from a source, or
 * they are not the sum of their parts.
 */
export async function reversalDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH reversed AS (
       SELECT r.event_id, r.quantity, e.id,
              (SELECT sum(d.quantity) FROM json_to_recordset(r.deductions) AS d (quantity numeric)) AS returned,
              EXISTS (
                SELECT FROM (
                  SELECT d."from", d."subscriptionId", d."periodStart", d."grantId", d."originStart", sum(d.quantity) AS quantity, sum(d.credits) AS credits
                    FROM json_to_recordset(r.deductions) AS d (${DEDUCTION_MEMBERS}) GROUP BY 1, 2, 3, 4, 5) AS back
                  LEFT JOIN (
                  SELECT d."from", d."subscriptionId", d."periodStart", d."grantId", d."originStart", sum(d.quantity) AS quantity, sum(d.credits) AS credits
                    FROM json_to_recordset(e.deductions) AS d (${DEDUCTION_MEMBERS}) GROUP BY 1, 2, 3, 4, 5) AS taken
                    ON (taken."from", taken."subscriptionId", taken."periodStart") = (back."from", back."subscriptionId", back."periodStart")
                   AND (taken."grantId", taken."originStart") IS NOT DISTINCT FROM (back."grantId", back."originStart")
                 WHERE back.quantity > COALESCE(taken.quantity, 0) OR back.credits > COALESCE(taken.credits, 0)) AS is_too_much
         FROM tollgate.usage_reversals r
         LEFT JOIN tollgate.usage_events e
           ON e.workspace_id = :workspaceId AND e.environment = :environment AND e.id = r.event_id
        WHERE r.workspace_id = :workspaceId AND r.environment = :environment)
     SELECT format('reversal of event %s: quantity %s, given back %s', event_id, quantity, COALESCE(returned, 0)) AS example
       FROM reversed WHERE id IS NULL OR is_too_much OR quantity <> COALESCE(returned, 0)`,
  );
}

/**
 * Finds reservations that do not add up, and confirmed ones without their event of the same entity. An erasure removes
 * the entity names of one before those of the other.
 */
export async function reservationDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `SELECT format('reservation %s: %s, quantity %s, holds %s', r.id, r.status, r.quantity, COALESCE(d.quantity, 0)) AS example
       FROM tollgate.usage_reservations r
      CROSS JOIN LATERAL (SELECT sum(quantity) AS quantity FROM json_to_recordset(r.deductions) AS d (quantity numeric)) AS d
      WHERE r.workspace_id = :workspaceId AND r.environment = :environment
        AND (r.quantity <> COALESCE(d.quantity, 0)
             OR r.event_id IS NOT NULL AND NOT EXISTS (
                  SELECT FROM tollgate.usage_events e
                   WHERE e.workspace_id = :workspaceId AND e.environment = :environment AND e.id = r.event_id
                     AND e.customer_id = r.customer_id AND e.feature_id = r.feature_id
                     AND (e.entity IS NOT DISTINCT FROM r.entity OR EXISTS (
                            SELECT FROM tollgate.customers c
                             WHERE c.workspace_id = :workspaceId AND c.environment = :environment AND c.id = r.customer_id
                               AND c.erased_at IS NOT NULL))))`,
  );
}
