import type { DbTransaction } from '../db/pools';
import { HOUR_MS, type Instant } from '../domain/instant';
import { timeOfIdentifier, twinIdentifier } from '../identifiers/identifier';
import type { WorkspaceScope } from '../tenancy/actor';
import { EVENT_COLUMNS, type DeveloperEventRow } from './developer-event-store';

/**
 * How far an event may lie from the time in its id: normally a moment, at most as much as a clock may have been
 * adjusted by.
 */
const NEAR_MS = 10_000;
const FAR_MS = HOUR_MS;

/**
 * Finds a decision's event by the time and random part that their ids share. An event written by an earlier version has
 * an unrelated id, and is searched for near the decision's time.
 */
export async function findDecisionEvent(
  trx: DbTransaction,
  scope: WorkspaceScope,
  decisionId: string,
): Promise<DeveloperEventRow | undefined> {
  const time = timeOfIdentifier('decision', decisionId);
  if (time === null) return undefined;
  const own = { condition: 'id = :eventId', eventId: twinIdentifier('developerEvent', decisionId) };
  const older = { condition: `(data ->> 'decisionId') = :decisionId`, decisionId };
  return (
    (await findBetween(trx, scope, time, NEAR_MS, own)) ??
    (await findBetween(trx, scope, time, FAR_MS, own)) ??
    (await findBetween(trx, scope, time, NEAR_MS, older))
  );
}

async function findBetween(
  trx: DbTransaction,
  scope: WorkspaceScope,
  around: Instant,
  distance: number,
  { condition, ...values }: { condition: string; [name: string]: string },
): Promise<DeveloperEventRow | undefined> {
  const { rows } = await trx.raw<{ rows: DeveloperEventRow[] }>(
    `SELECT ${EVENT_COLUMNS} FROM tollgate.developer_events
      WHERE workspace_id = :workspaceId AND environment = :environment
        AND created_at BETWEEN :from AND :to AND ${condition}
      LIMIT 1`,
    { ...scope, ...values, from: new Date(around - distance), to: new Date(around + distance) },
  );
  return rows[0];
}
