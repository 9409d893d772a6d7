import { rowsAs, type Call } from '../db/calls';
import { plainArray, textArray } from '../db/parameters';
import { isoText, type Instant } from '../domain/instant';
import { RESERVATION_SECONDS } from '../domain/reservation';
import type { PastDuePolicy } from '../domain/subscription';
import type { ReportingRules } from '../domain/time-of-use';
import type { WorkspaceScope } from '../tenancy/actor';
import { alertPercents, counterJoins, ENTITLED_COLUMNS, type EntitledRow } from './entitled-row-store';
import type { StoredDeduction } from './stored-deduction';

/** A customer and a feature that calls of a batch ask about. */
export interface Pair {
  externalId: string;
  feature: string;
}

/** Returns a string that identifies a pair. A feature's key has no control character, so the first one ends it. */
export function pairKey(pair: Pair): string {
  return `${pair.feature}\n${pair.externalId}`;
}

/**
 * One row per pair and open subscription. Members are null from the first missing record on (the customer, the feature,
 * a subscription, an entitlement, a counter).
 */
export type ContextRow = {
  pair: string;
  customerId: string | null;
  featureId: string | null;
  featureKind: 'metered' | 'boolean' | null;
  entitlementId: string | null;
  graceDays: number | null;
  expireAfterDays: number | null;
  reportedDays: number | null;
  graceMinutes: number | null;
  clockOffsetMs: string;
  /**
   * The customer's grants that still hold credits and could still be used: those that have not expired, or that expired
   * so recently that a reservation may hold a part of them. Null if there are none. Only in the rows of its first pair.
   */
  credits: CreditMember[] | null;
  /** Percentages of the quota to notify, as the text of an array; null without an entitlement. */
  alertPercents: string | null;
  creditsLowPercent: number | null;
  /**
   * What reservations hold for the customer, regardless of the feature; null if nothing. Only in the rows of its first
   * pair.
   */
  held: HeldMember[] | null;
} & (EntitledRow | { subscriptionId: null });

/** A grant of the pair's customer that still holds credits, as `credits` lists them. */
export interface CreditMember {
  id: string;
  remaining: string;
  /** ISO 8601, or null. */
  expiresAt: string | null;
  /** Credits granted. */
  amount: string;
  /** Whether low credits were already notified. */
  lowAlerted: boolean;
}

/** A reservation that had not expired when the batch began. */
export interface HeldMember {
  id: string;
  featureId: string;
  /** ISO 8601, in the workspace's time. */
  expiresAt: string;
  deductions: StoredDeduction[];
}

/** Returns the workspace's settings, which every row of a context has. */
export function settingsOf(row: ContextRow | undefined): {
  policy: PastDuePolicy;
  reporting: ReportingRules;
  clockOffsetMs: number;
} {
  if (row === undefined) throw new Error('A batch has no context.');
  const { graceDays, expireAfterDays, reportedDays, graceMinutes } = row;
  if (graceDays === null || expireAfterDays === null || reportedDays === null || graceMinutes === null)
    throw new Error('This workspace has no settings.');
  return {
    policy: { graceDays, expireAfterDays },
    reporting: { reportedDays, graceMinutes },
    clockOffsetMs: Number(row.clockOffsetMs),
  };
}

/** The longest time that a reservation may hold a part of an expired grant, plus an hour for clocks that differ. */
const MAX_HELD_MS = (RESERVATION_SECONDS.most + 3_600) * 1_000;

/**
 * Reads everything that decisions about these pairs depend on, as of now. Nothing is cached: check and track follow a
 * change from the very next call. The counter is the latest of its kind; the caller decides whether it belongs to the
 * current usage period.
 *
 * @param begun real time at which the batch began; what had expired by then is omitted
 */
export function readContext(
  scope: WorkspaceScope,
  pairs: readonly Pair[],
  begun: Instant,
): Call<ContextRow[]> {
  const known = new Set<string>();
  // A customer may have thousands of reservations, and a batch as many features, so they are read once.
  const isFirst = (externalId: string): boolean => known.size < known.add(externalId).size;
  return {
    name: 'usage-context',
    text: READ_CONTEXT,
    values: [
      scope.workspaceId,
      scope.environment,
      textArray(pairs.map((pair) => pair.externalId)),
      textArray(pairs.map((pair) => pair.feature)),
      isoText(begun),
      isoText(begun - MAX_HELD_MS),
      plainArray(pairs.map(({ externalId }) => (isFirst(externalId) ? 't' : 'f'))),
    ],
    read: rowsAs<ContextRow>,
  };
}

const UNSPENT_GRANTS = `tollgate.credit_grants
             WHERE q.is_first AND workspace_id = $1 AND environment = $2 AND customer_id = c.id AND remaining > 0`;

/*
 * Grants are looked up by their expiry, with one condition at a time: OR could not use the index, and the grants that
 * have expired would all be read.
 *
 * LIMIT and OFFSET keep each look-up a look-up. With joins, the planner would rely on its estimates of the tables'
 * sizes, and read a whole tenant where it last saw a small one. The workspace's time is a column because an expression
 * could not use the index of reservations: row-level security keeps conditions that are not leakproof from using an
 * index.
 */
const READ_CONTEXT = `
SELECT q.pair, w.grace_days AS "graceDays", w.expire_after_days AS "expireAfterDays",
       w.usage_reported_days AS "reportedDays", w.usage_grace_minutes AS "graceMinutes",
       coalesce(o.offset_ms, 0) AS "clockOffsetMs", g.credits, h.held, c.id AS "customerId", f.id AS "featureId",
       f.kind AS "featureKind", e.id AS "entitlementId", w.credits_low_percent AS "creditsLowPercent",
       ${alertPercents('c.usage_alert_percents', 'w.usage_alert_percents')} AS "alertPercents", ${ENTITLED_COLUMNS}
  FROM unnest($3::text[], $4::text[], $7::boolean[]) WITH ORDINALITY AS q (external_id, feature_key, is_first, pair)
  LEFT JOIN LATERAL (
    SELECT * FROM tollgate.workspace_settings WHERE workspace_id = $1 AND environment = $2 LIMIT 1) w ON true
  LEFT JOIN LATERAL (
    SELECT offset_ms, $5::timestamptz + offset_ms * interval '1 millisecond' AS begun,
           $6::timestamptz + offset_ms * interval '1 millisecond' AS held_since
      FROM tollgate.sandbox_clocks WHERE workspace_id = $1 AND environment = $2 LIMIT 1) o ON true
  LEFT JOIN LATERAL (
    SELECT id, usage_alert_percents FROM tollgate.customers
     WHERE workspace_id = $1 AND environment = $2 AND external_id = q.external_id AND erased_at IS NULL LIMIT 1) c ON true
  LEFT JOIN LATERAL (
    SELECT id, kind FROM tollgate.features WHERE workspace_id = $1 AND environment = $2 AND key = q.feature_key LIMIT 1) f ON true
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('id', r.id, 'remaining', r.remaining::text, 'expiresAt', r.expires_at,
             'amount', r.amount::text, 'lowAlerted', r.low_alerted_at IS NOT NULL)) AS credits
      FROM (SELECT * FROM ${UNSPENT_GRANTS} AND expires_at IS NULL
             UNION ALL
            SELECT * FROM ${UNSPENT_GRANTS} AND expires_at > CASE WHEN o.held_since IS NULL THEN $6::timestamptz ELSE o.held_since END) r) g ON true
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('id', r.id, 'featureId', r.feature_id, 'expiresAt', r.expires_at, 'deductions', r.deductions)) AS held
      FROM tollgate.usage_reservations r
     WHERE q.is_first AND r.workspace_id = $1 AND r.environment = $2 AND r.customer_id = c.id AND r.status = 'held'
       AND r.expires_at > CASE WHEN o.begun IS NULL THEN $5::timestamptz ELSE o.begun END) h ON true
  LEFT JOIN LATERAL (
    SELECT * FROM tollgate.subscriptions
     WHERE workspace_id = $1 AND environment = $2 AND customer_id = c.id AND status IN ('trialing', 'active', 'past_due')
    OFFSET 0) s ON true
  LEFT JOIN LATERAL (
    SELECT slug, entity_limit FROM tollgate.plans
     WHERE workspace_id = $1 AND environment = $2 AND id = s.plan_id LIMIT 1) p ON true
  LEFT JOIN LATERAL (
    SELECT * FROM tollgate.plan_entitlements
     WHERE workspace_id = $1 AND environment = $2 AND plan_id = s.plan_id AND feature_id = f.id LIMIT 1) e ON true
  ${counterJoins({ tenant: ['$1', '$2'], customer: 'c.id', feature: 'f.id' })}`;
