import { plainArray, textArray } from '../db/parameters';
import { rowsAs, type Call } from '../db/calls';
import type { Statement } from '../db/pipeline';
import { formatDecimal } from '../domain/decimal';
import { isoText, type Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { unitsOf, type Tally, type TallyColumns } from './counter';
import type { CounterKey } from './past-usage-store';
import type { StoredDeduction } from './stored-deduction';

/** An entity of a customer. */
export interface EntityName {
  customerId: string;
  entity: string;
}

/** An entity that a question names. */
export type AskedEntity = EntityName & {
  /** The customer's entities are counted up to this number, which its plans allow. */
  most: number;
};

/** The counter of an entity. */
export type EntityCounterKey = CounterKey & { entity: string };

/** Result of one name. */
export interface EntityRow {
  /** Position among the names, from 1. */
  place: string;
  isNew: boolean;
  /** Number of the customer's entities, up to `most`; 0 if the entity is one of them. */
  count: string;
}

/** Reads which of these entities the customers have. */
export function readEntities(scope: WorkspaceScope, names: readonly AskedEntity[]): Call<EntityRow[]> {
  return {
    name: 'usage-entities',
    text: READ_ENTITIES,
    values: [
      scope.workspaceId,
      scope.environment,
      plainArray(names.map(({ customerId }) => customerId)),
      textArray(names.map(({ entity }) => entity)),
      plainArray(names.map(({ most }) => String(most))),
    ],
    read: rowsAs<EntityRow>,
  };
}

/*
 * A customer may have thousands of entities, and a batch as many new ones. Therefore they are counted once, and only up
 * to the required limit.
 */
const READ_ENTITIES = `
WITH named AS MATERIALIZED (
  SELECT q.place, q.customer_id, q.most, e.entity IS NULL AS is_new
    FROM unnest($3::text[], $4::text[], $5::bigint[]) WITH ORDINALITY AS q (customer_id, entity, most, place)
    LEFT JOIN LATERAL (
      SELECT entity FROM tollgate.customer_entities
       WHERE workspace_id = $1 AND environment = $2 AND customer_id = q.customer_id AND entity = q.entity LIMIT 1) e ON true),
counted AS MATERIALIZED (
  SELECT c.customer_id, (
           SELECT count(*) FROM (
             SELECT FROM tollgate.customer_entities
              WHERE workspace_id = $1 AND environment = $2 AND customer_id = c.customer_id LIMIT c.most) AS there) AS count
    FROM (SELECT customer_id, max(most) AS most FROM named WHERE is_new GROUP BY customer_id) AS c)
SELECT n.place, n.is_new AS "isNew", CASE WHEN n.is_new THEN c.count ELSE 0 END AS count
  FROM named n LEFT JOIN counted c ON c.customer_id = n.customer_id`;

/** A counter, all zero if nothing was counted, and what its entity holds at the same time. */
export type EntityCounterRow = Omit<TallyColumns, 'usedLater' | 'alertedQuota' | 'alertedPercent'> & {
  /** Position among the keys, from 1. */
  place: string;
  /** The deductions of each of the entity's reservations of the feature; null if there are none. */
  held: StoredDeduction[][] | null;
};

/**
 * Reads counters of entities together with what the entities hold, because either alone may be out of date.
 *
 * @param except ids of reservations that do not count
 */
export function readEntityCounters(
  scope: WorkspaceScope,
  keys: readonly EntityCounterKey[],
  { decidedAt, except }: { decidedAt: Instant; except: ReadonlySet<string> },
): Call<EntityCounterRow[]> {
  return {
    name: 'usage-entity-counters',
    text: READ_COUNTERS,
    values: [
      scope.workspaceId,
      scope.environment,
      ...keyColumns(keys),
      isoText(decidedAt),
      plainArray([...except]),
    ],
    read: rowsAs<EntityCounterRow>,
  };
}

/*
 * A customer may have thousands of reservations, and a batch as many of its entities, so they are read once. Those of
 * other entities are left out by a hash of the names (IS TRUE keeps it from becoming a join): each check would sort and
 * aggregate them, and each key would be compared with them.
 */
const READ_COUNTERS = `
WITH named AS MATERIALIZED (
  SELECT * FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[]) WITH ORDINALITY
    AS q (customer_id, feature_id, entity, subscription_id, reset_interval, period_start, place)),
held AS MATERIALIZED (
  SELECT r.customer_id, r.feature_id, r.entity, json_agg(r.deductions) AS deductions
    FROM (SELECT DISTINCT customer_id FROM named) AS c
   CROSS JOIN LATERAL (
      SELECT * FROM tollgate.usage_reservations
       WHERE workspace_id = $1 AND environment = $2 AND customer_id = c.customer_id AND status = 'held'
         AND expires_at > $9::timestamptz AND entity IS NOT NULL AND id <> ALL ($10::text[])
      OFFSET 0) AS r
   WHERE ((r.customer_id, r.feature_id, r.entity) IN (SELECT customer_id, feature_id, entity FROM named)) IS TRUE
   GROUP BY r.customer_id, r.feature_id, r.entity)
SELECT q.place, coalesce(u.quota_used, 0) AS "quotaUsed", coalesce(u.rollover_used, 0) AS "rolloverUsed",
       coalesce(u.credit_used, 0) AS "creditUsed", coalesce(u.overage_used, 0) AS "overageUsed", h.deductions AS held
  FROM named AS q
  LEFT JOIN LATERAL (
    SELECT * FROM tollgate.entity_counters
     WHERE workspace_id = $1 AND environment = $2 AND customer_id = q.customer_id AND feature_id = q.feature_id
       AND entity = q.entity AND subscription_id = q.subscription_id AND reset_interval = q.reset_interval
       AND period_start = q.period_start
     LIMIT 1) u ON true
  LEFT JOIN LATERAL (
    SELECT deductions FROM held
     WHERE customer_id = q.customer_id AND feature_id = q.feature_id AND entity = q.entity LIMIT 1) h ON true`;

/** Creates entities at their first use. */
export function insertEntities(
  scope: WorkspaceScope,
  names: readonly EntityName[],
  decidedAt: Instant,
): Statement {
  return {
    name: 'usage-insert-entities',
    text: `INSERT INTO tollgate.customer_entities (workspace_id, environment, created_at, customer_id, entity)
           SELECT $1, $2, $3, e.* FROM unnest($4::text[], $5::text[]) AS e`,
    values: [
      scope.workspaceId,
      scope.environment,
      isoText(decidedAt),
      plainArray(names.map(({ customerId }) => customerId)),
      textArray(names.map(({ entity }) => entity)),
    ],
  };
}

/** An entity's counter, as read and as it is to be written. */
export type EntityCounterChange = EntityCounterKey & { was: Tally; becomes: Tally };

/** Writes the counters. A counter that does not end at the decided value aborts the transaction (40001). */
export function writeEntityCounters(
  scope: WorkspaceScope,
  changes: readonly EntityCounterChange[],
  decidedAt: Instant,
): Statement {
  const added = (of: 'quota' | 'rollover' | 'credits' | 'overage'): string =>
    plainArray(changes.map(({ was, becomes }) => formatDecimal(becomes[of] - was[of])));
  return {
    name: 'usage-write-entities',
    text: WRITE_COUNTERS,
    values: [
      scope.workspaceId,
      scope.environment,
      ...keyColumns(changes),
      added('quota'),
      added('rollover'),
      added('credits'),
      added('overage'),
      isoText(decidedAt),
      formatDecimal(changes.reduce((sum, { becomes }) => sum + unitsOf(becomes), 0n)),
    ],
  };
}

const WRITE_COUNTERS = `
WITH counted AS (
  INSERT INTO tollgate.entity_counters AS n (workspace_id, environment, updated_at, customer_id, feature_id, entity,
    subscription_id, reset_interval, period_start, quota_used, rollover_used, credit_used, overage_used)
  SELECT $1, $2, $13::timestamptz, c.*
    FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::numeric[],
                $10::numeric[], $11::numeric[], $12::numeric[]) AS c
  ON CONFLICT (workspace_id, environment, customer_id, feature_id, entity, subscription_id, reset_interval, period_start) DO UPDATE
    SET quota_used = n.quota_used + EXCLUDED.quota_used, rollover_used = n.rollover_used + EXCLUDED.rollover_used,
        credit_used = n.credit_used + EXCLUDED.credit_used, overage_used = n.overage_used + EXCLUDED.overage_used,
        updated_at = EXCLUDED.updated_at
  RETURNING quota_used, rollover_used, credit_used, overage_used)
SELECT tollgate.assert_equal((SELECT sum(quota_used + rollover_used + credit_used + overage_used) FROM counted), $14::numeric)`;

function keyColumns(keys: readonly EntityCounterKey[]): string[] {
  return [
    plainArray(keys.map(({ customerId }) => customerId)),
    plainArray(keys.map(({ featureId }) => featureId)),
    textArray(keys.map(({ entity }) => entity)),
    plainArray(keys.map(({ subscriptionId }) => subscriptionId)),
    plainArray(keys.map(({ resetInterval }) => resetInterval)),
    plainArray(keys.map(({ periodStart }) => isoText(periodStart))),
  ];
}
