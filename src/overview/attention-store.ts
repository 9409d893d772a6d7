import type { DbTransaction } from '../db/pools';
import { tenantCondition } from '../db/tenant-columns';
import { DAY_MS, type Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** Maximum number of rows counted of each. A longer list is no more alarming. */
export const MAX_COUNTED = 100;
/** A command that is open for longer needs attention. */
const SLOW_COMMAND_MS = 60_000;

/** What needs a person's attention in an environment: counts, at most `MAX_COUNTED` each. */
export interface Attention {
  pastDue: number;
  approvals: number;
  /** When the first of them expires; workspace time. */
  nextApprovalExpiry: Instant | null;
  providerCalls: number;
  preparationsFailed: number;
  drift: number;
  commandsOpen: number;
  webhooksFailed: number;
  /** Deliveries. In a flood, one row counts for several. */
  webhookFailures: number;
  refundsPending: number;
  planPrices: number;
  connectionTests: number;
  /** Webhook endpoints where no attempt succeeds, or that were disabled for that reason. */
  webhookEndpoints: number;
  /** One of them; null if there are none. */
  webhookEndpointId: string | null;
}

const TENANT = tenantCondition();
const OPEN = "s.status IN ('trialing', 'active', 'past_due')";

/**
 * An environment has at most a hundred endpoints, found by their keys. Endpoints disabled by an operator are left out,
 * because the operator knows.
 */
const TROUBLED = `tollgate.webhook_endpoints WHERE ${TENANT}
  AND (disabled_reason IN ('failing', 'gone') OR (disabled_at IS NULL AND failing_since IS NOT NULL))`;

/** Each condition matches that of an index. */
const LISTS: Record<
  Exclude<keyof Attention, 'webhookFailures' | 'approvals' | 'nextApprovalExpiry' | 'webhookEndpointId'>,
  string
> = {
  pastDue: `tollgate.subscriptions s WHERE ${TENANT} AND s.status = 'past_due'`,
  providerCalls: `tollgate.subscriptions s WHERE ${TENANT} AND ${OPEN} AND s.provider_work ->> 'unsettled' IS NOT NULL`,
  preparationsFailed: `tollgate.subscriptions s WHERE ${TENANT} AND s.metadata -> 'nextCycleSync' ->> 'state' = 'failed'`,
  drift: `tollgate.subscriptions s WHERE ${TENANT} AND s.drift IS NOT NULL`,
  commandsOpen: `tollgate.operations WHERE ${TENANT} AND status IN ('pending', 'accepted') AND created_at < :slow`,
  webhooksFailed: `tollgate.webhook_events WHERE ${TENANT} AND status = 'failed'`,
  refundsPending: `tollgate.refunds WHERE ${TENANT} AND status = 'pending'`,
  planPrices: `tollgate.provider_connections WHERE ${TENANT} AND disabled_at IS NULL AND plan_price_findings <> '{}'`,
  connectionTests: `tollgate.provider_connections WHERE ${TENANT} AND disabled_at IS NULL AND cardinality(failed_checks) > 0`,
  webhookEndpoints: TROUBLED,
};

const COUNT = `SELECT ${Object.entries(LISTS)
  .map(
    ([name, list]) =>
      `(SELECT count(*)::int FROM (SELECT FROM ${list} LIMIT ${MAX_COUNTED}) AS l) AS "${name}"`,
  )
  .join(',\n')},
  (SELECT least(coalesce(sum(l.count), 0), ${MAX_COUNTED})::int FROM (
     SELECT count FROM tollgate.webhook_failures WHERE ${TENANT} AND first_at >= :yesterday LIMIT ${MAX_COUNTED}) AS l
  ) AS "webhookFailures",
  (SELECT min(id) FROM ${TROUBLED}) AS "webhookEndpointId",
  a.*
  FROM (SELECT count(*)::int AS approvals, min(l.expires)::text AS "nextApprovalExpiry" FROM (
          SELECT (s.provider_work -> 'request' ->> 'expiresAt')::numeric AS expires FROM tollgate.subscriptions s
           WHERE ${TENANT} AND ${OPEN} AND s.provider_work ->> 'unsettled' IS NULL AND s.provider_work ->> 'request' IS NOT NULL
           LIMIT ${MAX_COUNTED}) AS l) AS a`;

/** @param at real time */
export async function countAttention(
  trx: DbTransaction,
  scope: WorkspaceScope,
  at: Instant,
): Promise<Attention> {
  type Counted = Omit<Attention, 'nextApprovalExpiry'> & { nextApprovalExpiry: string | null };
  const { rows } = await trx.raw<{ rows: Counted[] }>(COUNT, {
    ...scope,
    slow: new Date(at - SLOW_COMMAND_MS),
    yesterday: new Date(at - DAY_MS),
  });
  const [counts] = rows;
  if (counts === undefined) throw new Error('Nothing was counted.');
  const expiry = counts.nextApprovalExpiry;
  return { ...counts, nextApprovalExpiry: expiry === null ? null : Number(expiry) };
}
