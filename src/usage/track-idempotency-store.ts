import { claimLock, customerLock } from '../db/advisory-locks';
import { textArray } from '../db/parameters';
import type { Statement } from '../db/pipeline';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * The locks of the hot path, all of them Postgres advisory locks that end with the transaction. Keys are locked before
 * customers, and customers in a fixed order, so that batches cannot deadlock.
 */

const CLAIM_LOCK = claimLock('$1', '$2', 'k.key');

const CUSTOMER_LOCK = customerLock('$1', '$2', 'q.external_id');

/** Waits for the balances of these customers ($4), in a fixed order, and locks them until the commit. */
const WAIT_FOR_CUSTOMERS = `
  SELECT NULL AS key, NULL AS customer, pg_advisory_xact_lock(ordered.lock)::text IS NOT NULL AS claimed FROM (
    SELECT DISTINCT ${CUSTOMER_LOCK} AS lock FROM unnest($4::text[]) AS q (external_id) ORDER BY 1) AS ordered`;

/** Locks the balances of these customers ($4) that no other transaction holds; false for each of the others. */
const TRY_CUSTOMERS = `
  SELECT NULL AS key, q.external_id AS customer, pg_try_advisory_xact_lock(${CUSTOMER_LOCK}) AS claimed
    FROM unnest($4::text[]) AS q (external_id)`;

/** A key or customer that another transaction holds. */
export interface HeldRow {
  key: string | null;
  customer: string | null;
}

/**
 * Claims the keys, then locks the customers, and returns those that are held by others. A key that another transaction
 * holds is not waited for. Customers are waited for up to the lock time-out (SQLSTATE 55P03) if `waitForCustomers`.
 */
export function lockForTracks(
  scope: WorkspaceScope,
  keys: readonly string[],
  externalIds: readonly string[],
  { waitForCustomers }: { waitForCustomers: boolean },
): Statement {
  return {
    name: waitForCustomers ? 'usage-locks' : 'usage-locks-try',
    text: `SELECT key, customer FROM (
             SELECT k.key, NULL AS customer, pg_try_advisory_xact_lock(${CLAIM_LOCK}) AS claimed
               FROM unnest($3::text[]) AS k (key)
              UNION ALL ${waitForCustomers ? WAIT_FOR_CUSTOMERS : TRY_CUSTOMERS}) AS claims
            WHERE NOT claimed`,
    values: [scope.workspaceId, scope.environment, textArray(keys), textArray(externalIds)],
  };
}

/** The statement that waits for a key. */
export const CLAIM_WAIT = 'usage-claim-wait';

/** Claims one key, waiting for its holder up to the lock time-out (SQLSTATE 55P03). */
export function waitForClaim(scope: WorkspaceScope, key: string): Statement {
  return {
    name: CLAIM_WAIT,
    text: `SELECT pg_advisory_xact_lock(${CLAIM_LOCK}) FROM (SELECT $3::text AS key) AS k`,
    values: [scope.workspaceId, scope.environment, key],
  };
}

/**
 * A key that is not free: with a usage event's answer, or (fingerprint null) of another request, answered or in
 * progress.
 */
export interface UsedKeyRow {
  key: string;
  fingerprint: Buffer | null;
  answer: string | null;
}

/**
 * Reads which of these keys were used before, with one index look-up per key (LIMIT keeps the planner from joining
 * tables).
 */
export function readUsedKeys(scope: WorkspaceScope, keys: readonly string[]): Statement {
  return {
    name: 'usage-used-keys',
    text: `SELECT e.idempotency_key AS key, e.fingerprint, e.answer::text AS answer
             FROM unnest($3::text[]) AS k (key)
            CROSS JOIN LATERAL (
              SELECT u.idempotency_key, u.fingerprint, u.answer FROM tollgate.usage_events u
               WHERE u.workspace_id = $1 AND u.environment = $2 AND u.idempotency_key = k.key LIMIT 1) AS e
            UNION ALL
           SELECT a.idempotency_key, NULL, NULL FROM tollgate.idempotency_answers a
            WHERE a.workspace_id = $1 AND a.environment = $2 AND a.idempotency_key = ANY ($3::text[])
            UNION ALL
           SELECT o.idempotency_key, NULL, NULL FROM tollgate.operations o
            WHERE o.workspace_id = $1 AND o.environment = $2 AND o.idempotency_key = ANY ($3::text[])`,
    values: [scope.workspaceId, scope.environment, textArray(keys)],
  };
}
