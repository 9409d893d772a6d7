import type { DbTransaction } from '../db/pools';
import { tenantCondition } from '../db/tenant-columns';
import { isoText, type Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import type { StoredDeduction } from '../usage/stored-deduction';
import { TIME_OF_USE } from './usage-change-store';

/** A recorded use with the names of its customer and feature. Decimals are text. */
export interface UsageEventRow {
  id: string;
  customerId: string;
  externalId: string;
  feature: string;
  quantity: string;
  source: string;
  at: Instant;
  recordedAt: Instant;
  late: boolean;
  entity: string | null;
  properties: Record<string, unknown> | null;
  idempotencyKey: string;
  deductions: StoredDeduction[];
  reversal: {
    quantity: string;
    reason: string;
    reversedAt: string;
    actor: { operatorId: string | null; apiKeyId: string | null };
  } | null;
  /** Its time to the microsecond, after which lists continue. */
  position: string;
}

/** A part of the uses, ordered by time and then id. */
export interface UsageEventPart {
  customerId: string | null;
  featureId: string | null;
  from?: Instant | undefined;
  to?: Instant | undefined;
  entity?: string | undefined;
  late?: boolean | undefined;
  reversed?: boolean | undefined;
  order: 'newest' | 'oldest';
  /** The row before the first one. */
  after?: { position: string; id: string } | undefined;
  limit: number;
}

const TENANT_CONDITION = tenantCondition('e');
const REVERSALS = `SELECT r.event_id FROM tollgate.usage_reversals r WHERE ${tenantCondition('r')}`;

export async function listUsageEvents(
  trx: DbTransaction,
  scope: WorkspaceScope,
  part: UsageEventPart,
): Promise<UsageEventRow[]> {
  const { query, bindings } = usageEventQuery(scope, part);
  return (await trx.raw<{ rows: UsageEventRow[] }>(query, bindings)).rows;
}

/** Returns the statement of a part and its bindings. */
export function usageEventQuery(
  scope: WorkspaceScope,
  part: UsageEventPart,
): { query: string; bindings: Record<string, string> } {
  const direction = part.order === 'newest' ? 'DESC' : 'ASC';
  const order = (time: string, id: string): string =>
    `ORDER BY ${time} ${direction}, ${id} ${direction} LIMIT ${part.limit}`;
  const { conditions, bindings } = conditionsOf(part);
  const source = part.reversed === true ? reversedUses(part) : 'tollgate.usage_events e';
  const uses = (more: string): string =>
    `SELECT e.*, ${TIME_OF_USE} AS at FROM ${source}
      WHERE ${[TENANT_CONDITION, more, ...conditions].join(' AND ')} ${order(TIME_OF_USE, 'e.id')}`;
  return {
    query: `SELECT ${COLUMNS} FROM (${isOfOneIndex(part) ? uses('true') : ofEachFeature(uses, order('p.at', 'p.id'))}) AS e
      ${NAMES} ${order('e.at', 'e.id')}`,
    bindings: { ...scope, ...bindings },
  };
}

export async function findUsageEvent(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<UsageEventRow | undefined> {
  const { rows } = await trx.raw<{ rows: UsageEventRow[] }>(
    `SELECT ${COLUMNS} FROM (SELECT e.*, ${TIME_OF_USE} AS at FROM tollgate.usage_events e WHERE ${TENANT_CONDITION} AND e.id = :id) AS e
      ${NAMES}`,
    { ...scope, id },
  );
  return rows[0];
}

/** Whether one index suffices: customers, features and late uses each have an index by time. Reversals are few. */
function isOfOneIndex({ customerId, featureId, late, reversed }: UsageEventPart): boolean {
  return customerId !== null || featureId !== null || late === true || reversed === true;
}

/**
 * Returns SQL that takes the newest (or oldest) uses of each feature, and the newest of those, because no index covers
 * all features in one order.
 */
function ofEachFeature(uses: (more: string) => string, order: string): string {
  return `
    SELECT p.* FROM tollgate.features f CROSS JOIN LATERAL (${uses('e.feature_id = f.id')}) AS p
     WHERE ${tenantCondition('f')} ${order}`;
}

/**
 * Returns SQL that looks up the use of each reversal. As a condition of the uses, Postgres would rather read all uses,
 * which OFFSET prevents.
 */
function reversedUses({ customerId, featureId }: UsageEventPart): string {
  const ofCustomer = customerId === null ? '' : 'AND r.customer_id = :customerId';
  const ofFeature = featureId === null ? '' : 'AND r.feature_id = :featureId';
  return `(${REVERSALS} ${ofCustomer} ${ofFeature}) AS r CROSS JOIN LATERAL (
    SELECT e.* FROM tollgate.usage_events e WHERE ${TENANT_CONDITION} AND e.id = r.event_id OFFSET 0) AS e`;
}

function conditionsOf(part: UsageEventPart): { conditions: string[]; bindings: Record<string, string> } {
  const { customerId, featureId, from, to, entity, late, reversed, after } = part;
  const conditions: string[] = [];
  const bindings: Record<string, string> = {};
  const add = (condition: string, bound: Record<string, string> = {}): void => {
    conditions.push(condition);
    Object.assign(bindings, bound);
  };
  if (customerId !== null) add('e.customer_id = :customerId', { customerId });
  if (featureId !== null) add('e.feature_id = :featureId', { featureId });
  if (from !== undefined) add(`${TIME_OF_USE} >= CAST(:from AS timestamptz)`, { from: isoText(from) });
  if (to !== undefined) add(`${TIME_OF_USE} < CAST(:to AS timestamptz)`, { to: isoText(to) });
  if (entity !== undefined) add('e.entity = :entity', { entity });
  if (late !== undefined) add(late ? 'e.late' : 'NOT e.late');
  if (reversed === false) add(`NOT EXISTS (${REVERSALS} AND r.event_id = e.id)`);
  if (after !== undefined) {
    const beyond = part.order === 'newest' ? '<' : '>';
    // Two conditions instead of a row comparison, which row-level security would keep from using the index.
    add(`${TIME_OF_USE} ${beyond}= CAST(:position AS timestamptz)`, { position: after.position });
    add(`(${TIME_OF_USE} ${beyond} CAST(:position AS timestamptz) OR e.id ${beyond} :afterId)`, {
      afterId: after.id,
    });
  }
  return { conditions, bindings };
}

const COLUMNS = `e.id, e.customer_id AS "customerId", c.external_id AS "externalId", f.key AS feature, e.quantity, e.source, e.at,
  e.recorded_at AS "recordedAt", e.late, e.entity, e.properties, e.idempotency_key AS "idempotencyKey", e.deductions,
  to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || 'Z' AS position,
  CASE WHEN r.event_id IS NULL THEN NULL ELSE json_build_object('quantity', CAST(r.quantity AS text), 'reason', r.reason,
    'reversedAt', r.reversed_at, 'actor', r.actor) END AS reversal`;

const NAMES = `
  JOIN tollgate.customers c ON c.workspace_id = :workspaceId AND c.environment = :environment AND c.id = e.customer_id
  JOIN tollgate.features f ON f.workspace_id = :workspaceId AND f.environment = :environment AND f.id = e.feature_id
  LEFT JOIN tollgate.usage_reversals r
    ON r.workspace_id = :workspaceId AND r.environment = :environment AND r.event_id = e.id`;
