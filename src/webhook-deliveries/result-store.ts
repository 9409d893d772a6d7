import { nothing, type Call } from '../db/calls';
import { plainArray, textArray } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** Effect of an attempt on its delivery. */
export interface AttemptResult {
  endpointId: string;
  messageId: string;
  /** The lease under which this process holds the delivery; another holder has a different one. */
  lease: Instant;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  nextAttemptAt: Instant | null;
  endedAt: Instant | null;
  attemptId: string;
  attemptedAt: Instant;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  answer: string | null;
  /** SHA-256 of the payload sent, in hex; null if nothing was sent. */
  sentHash: string | null;
}

const COLUMNS = `"endpointId" text, "messageId" text, lease timestamptz, status text, attempts integer,
  "nextAttemptAt" timestamptz, "endedAt" timestamptz, "attemptId" text, "attemptedAt" timestamptz, "durationMs" integer,
  "statusCode" integer, error text, answer text, "sentHash" text`;

/**
 * Updates the deliveries whose lease still belongs to this process. A delivery that another process took, or that was
 * requested again, stays unchanged and is attempted once more. One that was cancelled during its attempt becomes
 * delivered if the attempt succeeded.
 */
export function moveDeliveriesCall(
  { workspaceId, environment }: WorkspaceScope,
  results: readonly AttemptResult[],
): Call<void> {
  return {
    name: 'move_webhook_deliveries',
    text: `UPDATE tollgate.webhook_deliveries d
              SET status = t.status, attempts = t.attempts, next_attempt_at = t."nextAttemptAt", ended_at = t."endedAt"
             FROM jsonb_to_recordset($3::jsonb) AS t (${COLUMNS})
            WHERE d.workspace_id = $1 AND d.environment = $2 AND d.endpoint_id = t."endpointId"
              AND d.message_id = t."messageId"
              AND (d.status = 'pending' AND d.next_attempt_at = t.lease
                   OR d.status = 'cancelled' AND t.status = 'delivered')`,
    values: [workspaceId, environment, toJson(results)],
    read: nothing,
  };
}

/**
 * Writes the attempts into the log, except those of deleted endpoints. If an erasure has changed the message since it
 * was sent, the answer may name the person, so it is not kept. The lock lets the erasure find the others.
 */
export function insertAttemptsCall(
  { workspaceId, environment }: WorkspaceScope,
  results: readonly AttemptResult[],
): Call<void> {
  return {
    name: 'insert_webhook_attempts',
    text: `INSERT INTO tollgate.webhook_attempts
             (workspace_id, environment, id, endpoint_id, message_id, attempted_at, duration_ms, status_code, error, answer)
           SELECT $1, $2, t."attemptId", t."endpointId", t."messageId", t."attemptedAt", t."durationMs", t."statusCode",
                  t.error, CASE WHEN encode(sha256(convert_to(m.payload, 'UTF8')), 'hex') = t."sentHash" THEN t.answer END
             FROM jsonb_to_recordset($3::jsonb) AS t (${COLUMNS})
             JOIN tollgate.webhook_deliveries d
               ON d.workspace_id = $1 AND d.environment = $2 AND d.endpoint_id = t."endpointId"
              AND d.message_id = t."messageId"
             JOIN tollgate.webhook_messages m
               ON m.workspace_id = $1 AND m.environment = $2 AND m.id = d.message_id
            ORDER BY m.id
              FOR KEY SHARE OF d FOR SHARE OF m`,
    values: [workspaceId, environment, toJson(results)],
    read: nothing,
  };
}

function toJson(results: readonly AttemptResult[]): string {
  const time = (at: Instant | null): string | null => (at === null ? null : new Date(at).toISOString());
  return JSON.stringify(
    results.map((result) => ({
      ...result,
      lease: time(result.lease),
      nextAttemptAt: time(result.nextAttemptAt),
      endedAt: time(result.endedAt),
      attemptedAt: time(result.attemptedAt),
    })),
  );
}

interface EndpointHealth {
  id: string;
  url: string;
  failingSince: Instant | null;
  disabledAt: Instant | null;
}

/**
 * Reads the endpoints' health and locks their rows until the transaction ends. Rows are locked in id order so that two
 * processes cannot deadlock.
 */
export async function lockHealth(
  trx: DbTransaction,
  scope: WorkspaceScope,
  endpointIds: readonly string[],
): Promise<EndpointHealth[]> {
  return trx('tollgate.webhook_endpoints')
    .where(tenantColumns(scope))
    .whereIn('id', [...endpointIds])
    .orderBy('id')
    .forNoKeyUpdate()
    .select<EndpointHealth[]>({
      id: 'id',
      url: 'url',
      failingSince: 'failing_since',
      disabledAt: 'disabled_at',
    });
}

/** The address at which an endpoint was last reached, and when. */
export interface Reached {
  endpointId: string;
  url: string;
  at: Instant;
}

/**
 * Clears `failing_since` of endpoints that were reached since then: another process may have recorded a failure while
 * the attempt was under way. Most endpoints need no change, and are then not locked.
 */
export function noteReachedCall(
  { workspaceId, environment }: WorkspaceScope,
  reached: readonly Reached[],
): Call<void> {
  return {
    name: 'note_reached_endpoints',
    text: `WITH reached AS (
             SELECT e.id FROM tollgate.webhook_endpoints e
              WHERE e.workspace_id = $1 AND e.environment = $2 AND e.failing_since IS NOT NULL
                AND EXISTS (SELECT FROM unnest($3::text[], $4::text[], $5::timestamptz[]) AS r (id, url, at)
                             WHERE r.id = e.id AND r.url = e.url AND r.at >= e.failing_since)
              ORDER BY e.id FOR NO KEY UPDATE)
           UPDATE tollgate.webhook_endpoints e SET failing_since = NULL FROM reached
            WHERE e.workspace_id = $1 AND e.environment = $2 AND e.id = reached.id`,
    values: [
      ...[workspaceId, environment, textArray(reached.map(({ endpointId }) => endpointId))],
      textArray(reached.map(({ url }) => url)),
      plainArray(reached.map(({ at }) => new Date(at).toISOString())),
    ],
    read: nothing,
  };
}

export async function saveFailingSince(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  since: Instant | null,
): Promise<void> {
  await trx('tollgate.webhook_endpoints')
    .where({ ...tenantColumns(scope), id })
    .update({ failing_since: since === null ? null : new Date(since) });
}
