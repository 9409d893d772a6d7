import { DAY_MS } from '../src/domain/instant';
import type { TestDatabase } from '../test/support/database';
import type { Integrator } from '../test/support/integrator';
import { ENTITIES, FEATURE, type UsageLoad } from './usage-load';

/**
 * Compares what callers were answered with what is stored: every acknowledged unit is there once, and nothing else is.
 *
 * @throws Error with the first differences
 */
export async function judgeUsage(
  load: UsageLoad,
  database: TestDatabase,
  api: Integrator,
  externalIds: readonly string[],
): Promise<void> {
  const wrong = [
    ...(await wrongEvents(load, database)),
    ...(await wrongReservations(load, database)),
    ...(await wrongBalances(load, api, externalIds)),
    ...(await beyondCaps(database)),
  ];
  if (wrong.length > 0) throw new Error(`${wrong.length} differ: ${wrong.slice(0, 5).join('; ')}`);
}

async function wrongEvents({ uses }: UsageLoad, database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ id: string; kept: string }>(
    `SELECT e.id, concat_ws(' ', c.external_id, e.quantity::float8, COALESCE(r.quantity::float8, 0)) AS kept
       FROM tollgate.usage_events e JOIN tollgate.customers c ON c.id = e.customer_id
       LEFT JOIN tollgate.usage_reversals r ON r.event_id = e.id`,
  );
  const kept = new Map(rows.map((row) => [row.id, row.kept]));
  const wrong: string[] = [];
  for (const { eventId, externalId, quantity, reversed } of uses) {
    const acknowledged = `${externalId} ${quantity} ${reversed}`;
    if (kept.get(eventId) !== acknowledged)
      wrong.push(`${eventId} was acknowledged as ${acknowledged} and is ${String(kept.get(eventId))}`);
    if (!kept.delete(eventId)) wrong.push(`${eventId} was acknowledged under two keys`);
  }
  for (const [id, row] of kept) wrong.push(`${id} (${row}) was acknowledged to nobody`);
  return wrong;
}

async function wrongReservations({ reservations }: UsageLoad, database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ id: string; status: string; eventId: string | null }>(
    'SELECT id, status, event_id AS "eventId" FROM tollgate.usage_reservations',
  );
  const kept = new Map(rows.map(({ id, status, eventId }) => [id, `${status} ${String(eventId)}`]));
  return reservations.flatMap(({ id, status, eventId }) => {
    const acknowledged = `${status} ${String(eventId)}`;
    return kept.get(id) === acknowledged ? [] : [`${id} was ${acknowledged} and is ${String(kept.get(id))}`];
  });
}

/** Returns the customers' balances that decisions or series answer wrongly. */
async function wrongBalances(
  { uses }: UsageLoad,
  api: Integrator,
  externalIds: readonly string[],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const externalId of externalIds) {
    const acknowledged = uses
      .filter((use) => use.externalId === externalId)
      .reduce((sum, { quantity, reversed }) => sum + quantity - reversed, 0);
    const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * DAY_MS).toISOString());
    const query = `customer=${externalId}&interval=day&from=${String(from)}&to=${String(to)}`;
    const series = await api.send('GET', `/v1/usage/series?${query}`);
    const use = { externalId, feature: FEATURE, quantity: 1, entity: ENTITIES[0] };
    const { usage } = (await api.send('POST', '/v1/usage/check', use)).body;
    if (usage !== acknowledged || series.body['quantity'] !== acknowledged)
      wrong.push(
        `${externalId} was acknowledged ${acknowledged}, a check says ${String(usage)}, its series ${series.text.slice(0, 200)}`,
      );
  }
  return wrong;
}

/** Returns entities that have used more of the quota than their cap. */
async function beyondCaps(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ entity: string; used: string; cap: string }>(
    `SELECT n.entity, n.quota_used AS used, e.entity_quota AS cap
       FROM tollgate.entity_counters n
       JOIN tollgate.plan_entitlements e ON e.workspace_id = n.workspace_id AND e.feature_id = n.feature_id
      WHERE n.quota_used > e.entity_quota`,
  );
  return rows.map(({ entity, used, cap }) => `${entity} has used ${used} of ${cap}`);
}
