import { webhookFailureLock } from '../db/advisory-locks';
import type { Transaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';
import type { ConnectionRef } from './connection-ref';

/** A delivery that was refused or could not be processed. */
export interface WebhookFailure {
  kind: 'signature' | 'processing' | 'unavailable';
  /** In words. */
  reason: string;
}

/** So many rows a connection and minute; what fails beyond them is counted. */
const ROWS_A_MINUTE = 30;
const MINUTE_MS = 60_000;

const LOCK = `SELECT pg_advisory_xact_lock(${webhookFailureLock('?', '?', '?')})`;

const COUNT = `
INSERT INTO tollgate.webhook_failures AS f
  (workspace_id, environment, id, connection_id, provider, kind, reason, minute, overflow, first_at, last_at)
VALUES (:workspaceId, :environment, :id, :connectionId, :provider, :kind, :reason, :minute, true, :at, :at)
ON CONFLICT (workspace_id, environment, connection_id, kind, minute) WHERE overflow
DO UPDATE SET count = f.count + 1, last_at = greatest(f.last_at, excluded.last_at)
RETURNING count`;

/**
 * Counts a failure: in a row of its own, or above a number a minute in the minute's row, so that the sum of counts is
 * the number of attempts and a flood adds nothing.
 *
 * @param at real time
 * @returns whether a row was added
 */
export async function countFailure(
  trx: Transaction,
  { scope, id: connectionId, provider }: ConnectionRef,
  { kind, reason }: WebhookFailure,
  at: Instant,
): Promise<boolean> {
  // Failures that come at once would each find room for one more row.
  await trx.raw(LOCK, [scope.workspaceId, scope.environment, connectionId]);
  const minute = new Date(at - (at % MINUTE_MS));
  const id = newIdentifier('webhookFailure');
  const row = { ...scope, id, connectionId, provider, kind, reason, minute, at: new Date(at) };
  const rows = await trx('tollgate.webhook_failures')
    .where({ workspace_id: scope.workspaceId, environment: scope.environment })
    .where({ connection_id: connectionId, minute, overflow: false })
    .count<{ count: string }[]>();
  if (Number(rows[0]?.count ?? 0) >= ROWS_A_MINUTE) {
    const counted = await trx.raw<{ rows: { count: string }[] }>(COUNT, row);
    return counted.rows[0]?.count === '1';
  }
  await trx('tollgate.webhook_failures').insert({
    workspace_id: scope.workspaceId,
    environment: scope.environment,
    id,
    connection_id: connectionId,
    provider,
    kind,
    reason,
    minute,
    first_at: row.at,
    last_at: row.at,
  });
  return true;
}
