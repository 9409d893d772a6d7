import { plainArray } from '../db/parameters';
import { rowsAs, type Call } from '../db/calls';
import { isoText, type Instant } from '../domain/instant';
import type { ResetInterval } from '../domain/period';
import { latestStartFor } from '../domain/time-of-use';
import type { WorkspaceScope } from '../tenancy/actor';
import { TALLY_COLUMNS, type TallyColumns } from './counter';
import { alertPercents, counterJoins, ENTITLED_COLUMNS, type EntitledRow } from './entitled-row-store';

/** A past use, which may have counted for a subscription of its customer that has ended since. */
export interface PastUse {
  customerId: string;
  featureId: string;
  at: Instant;
}

/** A cancelled subscription, with its entitlement to the feature. */
export type EndedRow = EntitledRow & {
  /** Position of the use among those requested, from 1. */
  use: string;
  cancelledAt: Instant | null;
  /**
   * Since when it was past due when it was cancelled; if that is not recorded, when the earliest transaction that was
   * still unpaid then was due. Null if nothing was unpaid.
   */
  unpaidSince: Instant | null;
  entitlementId: string | null;
  alertPercents: string | null;
};

/** Maximum number of subscriptions read per use, latest first. At any time a customer has one per plan group. */
const MAX_ENDED = 20;

/**
 * Reads the subscriptions that began before each use, or so soon after it that it may count for them, and were
 * cancelled after it, with the feature's latest counter.
 */
export function readEnded(scope: WorkspaceScope, uses: readonly PastUse[]): Call<EndedRow[]> {
  return {
    name: 'usage-ended',
    text: READ_ENDED,
    values: [
      scope.workspaceId,
      scope.environment,
      plainArray(uses.map(({ customerId }) => customerId)),
      plainArray(uses.map(({ featureId }) => featureId)),
      plainArray(uses.map(({ at }) => isoText(at))),
      plainArray(uses.map(({ at }) => isoText(latestStartFor(at)))),
    ],
    read: rowsAs<EndedRow>,
  };
}

const PERCENTS = alertPercents(
  `(SELECT usage_alert_percents FROM tollgate.customers
     WHERE workspace_id = $1 AND environment = $2 AND id = q.customer_id)`,
  `(SELECT usage_alert_percents FROM tollgate.workspace_settings WHERE workspace_id = $1 AND environment = $2)`,
);

const READ_ENDED = `
SELECT q.use, s.cancelled_at AS "cancelledAt", coalesce(s.unpaid_since, t.due_at) AS "unpaidSince", e.id AS "entitlementId", ${PERCENTS} AS "alertPercents",
       ${ENTITLED_COLUMNS}
  FROM unnest($3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[]) WITH ORDINALITY
    AS q (customer_id, feature_id, at, latest_start, use)
 CROSS JOIN LATERAL (
    SELECT * FROM tollgate.subscriptions
     WHERE workspace_id = $1 AND environment = $2 AND customer_id = q.customer_id AND status = 'cancelled'
       AND started_at <= q.latest_start AND (cancelled_at IS NULL OR cancelled_at > q.at)
     ORDER BY created_at DESC LIMIT ${MAX_ENDED}) s
  LEFT JOIN LATERAL (
    SELECT min(due_at) AS due_at FROM tollgate.subscription_transactions
     WHERE workspace_id = $1 AND environment = $2 AND subscription_id = s.id AND status = 'void') t ON true
  LEFT JOIN LATERAL (
    SELECT slug, entity_limit FROM tollgate.plans
     WHERE workspace_id = $1 AND environment = $2 AND id = s.plan_id LIMIT 1) p ON true
  LEFT JOIN LATERAL (
    SELECT * FROM tollgate.plan_entitlements
     WHERE workspace_id = $1 AND environment = $2 AND plan_id = s.plan_id AND feature_id = q.feature_id LIMIT 1) e ON true
  ${counterJoins({ tenant: ['$1', '$2'], customer: 'q.customer_id', feature: 'q.feature_id' })}`;

/** A counter's identity within its workspace. */
export interface CounterKey {
  customerId: string;
  featureId: string;
  subscriptionId: string;
  resetInterval: ResetInterval;
  periodStart: Instant;
}

/** An existing counter. */
export interface CounterRow extends TallyColumns {
  /** Position among the keys, from 1. */
  key: string;
}

/** Reads counters of given usage periods; those in which nothing was counted are omitted. */
export function readCounters(scope: WorkspaceScope, keys: readonly CounterKey[]): Call<CounterRow[]> {
  return {
    name: 'usage-counters',
    text: READ_COUNTERS,
    values: [
      scope.workspaceId,
      scope.environment,
      plainArray(keys.map(({ customerId }) => customerId)),
      plainArray(keys.map(({ featureId }) => featureId)),
      plainArray(keys.map(({ subscriptionId }) => subscriptionId)),
      plainArray(keys.map(({ resetInterval }) => resetInterval)),
      plainArray(keys.map(({ periodStart }) => isoText(periodStart))),
    ],
    read: rowsAs<CounterRow>,
  };
}

const READ_COUNTERS = `
SELECT q.key, ${TALLY_COLUMNS}
  FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[]) WITH ORDINALITY
    AS q (customer_id, feature_id, subscription_id, reset_interval, period_start, key)
 CROSS JOIN LATERAL (
    SELECT * FROM tollgate.usage_counters
     WHERE workspace_id = $1 AND environment = $2 AND customer_id = q.customer_id AND feature_id = q.feature_id
       AND subscription_id = q.subscription_id AND reset_interval = q.reset_interval AND period_start = q.period_start
     LIMIT 1) u`;
