import { textArray } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { isoText } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { newValues } from './rollup-store';
import { wholeDaysOf } from './series-range';
import {
  BUCKET_OF_AT,
  hasSums,
  seriesBindings,
  tailOf,
  within,
  type BucketSum,
  type GroupSum,
  type SeriesSubject,
} from './series-store';
import { changesAfter, valuedChanges } from './usage-change-store';

/** A subject with one of its feature's dimensions. */
export interface ValueSubject extends SeriesSubject {
  featureId: string;
  dimensionId: string;
}

const DIMENSION_CONDITION = `workspace_id = :workspaceId AND environment = :environment AND dimension_id = :dimensionId`;
const ALL_NUMBERS = `ARRAY(SELECT number FROM tollgate.usage_values WHERE ${DIMENSION_CONDITION}) || 0`;

/**
 * Returns the values that are grouped separately: those with a number, and those that the next roll-ups will number.
 */
export async function findValues(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subject: ValueSubject,
): Promise<string[]> {
  const { state, featureId, dimensionId } = subject;
  const { rows } = await trx.raw<{ rows: { value: string }[] }>(
    `SELECT value FROM tollgate.usage_values WHERE ${DIMENSION_CONDITION} AND value IS NOT NULL
     UNION ALL
     SELECT value FROM (${newValues(valuedChanges(changesAfter(state, 'e.feature_id = :featureId')))}) AS n
      WHERE n.dimension_id = :dimensionId`,
    { ...seriesBindings(scope, subject), featureId, dimensionId },
  );
  return rows.map(({ value }) => value);
}

/**
 * Reads the sums of each value over the whole time range; the key null stands for values that are not grouped
 * separately.
 *
 * @param values the result of `findValues`
 */
export async function sumValues(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subject: ValueSubject,
  values: readonly string[],
): Promise<GroupSum[]> {
  const { range, customerId } = subject;
  // There are no sums by day for a single customer.
  const { days, edges } =
    customerId === null ? wholeDaysOf(range) : { days: { from: range.to, to: range.to }, edges: [range] };
  const { rows } = await trx.raw<{ rows: GroupSum[] }>(
    `SELECT key, CAST(sum(quantity) AS text) AS quantity, CAST(sum(events) AS text) AS events FROM (
       SELECT u.value AS key, n.quantity, n.events FROM (
         SELECT number, sum(quantity) AS quantity, sum(events) AS events FROM (
           SELECT number, quantity, events FROM tollgate.usage_value_days
            WHERE ${DIMENSION_CONDITION} AND day >= CAST(:dayFrom AS timestamptz) AND day < CAST(:dayTo AS timestamptz)
           UNION ALL
           SELECT q.number, q.quantity, q.events
             FROM unnest(CAST(:edgesFrom AS timestamptz[]), CAST(:edgesTo AS timestamptz[])) AS g (edge_from, edge_to)
            CROSS JOIN LATERAL (
              SELECT number, quantity, events FROM tollgate.usage_value_quarters
               WHERE ${DIMENSION_CONDITION} AND customer_id = :customer AND number = ANY (${ALL_NUMBERS})
                 AND quarter >= g.edge_from AND quarter < g.edge_to) AS q) AS p
          WHERE ${hasSums(subject)} GROUP BY number) AS n
         LEFT JOIN tollgate.usage_values u ON u.workspace_id = :workspaceId AND u.environment = :environment
              AND u.dimension_id = :dimensionId AND u.number = n.number
       UNION ALL
       SELECT CASE WHEN value = ANY (CAST(:values AS text[])) THEN value END, quantity, events FROM (${valuedTail(subject)}) AS t) AS s
      GROUP BY key`,
    {
      ...valueBindings(scope, subject),
      values: textArray(values),
      dayFrom: isoText(days.from),
      dayTo: isoText(days.to),
      edgesFrom: textArray(edges.map((edge) => isoText(edge.from))),
      edgesTo: textArray(edges.map((edge) => isoText(edge.to))),
    },
  );
  return rows;
}

/** Reads the sums by bucket of some of the values. */
export async function sumValueBuckets(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subject: ValueSubject,
  chosen: readonly string[],
): Promise<BucketSum[]> {
  return sumNumbers(trx, scope, subject, {
    key: 'value',
    numbers: `ARRAY(SELECT number FROM tollgate.usage_values WHERE ${DIMENSION_CONDITION} AND value = ANY (CAST(:chosen AS text[])))`,
    tail: 'value = ANY (CAST(:chosen AS text[]))',
    chosen,
  });
}

/** Reads the sums by bucket of all uses that have a value. */
export async function sumValuedBuckets(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subject: ValueSubject,
): Promise<BucketSum[]> {
  const numbers = subject.customerId === null ? 'ARRAY[-1]' : ALL_NUMBERS;
  return sumNumbers(trx, scope, subject, { key: 'NULL', numbers, tail: 'true', chosen: [] });
}

async function sumNumbers(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subject: ValueSubject,
  { key, numbers, tail, chosen }: { key: string; numbers: string; tail: string; chosen: readonly string[] },
): Promise<BucketSum[]> {
  const { rows } = await trx.raw<{ rows: BucketSum[] }>(
    `SELECT key, bucket, CAST(sum(quantity) AS text) AS quantity, CAST(sum(events) AS text) AS events FROM (
       SELECT ${key} AS key, n.bucket, n.quantity, n.events FROM (
         SELECT number, ${BUCKET_OF_AT} AS bucket, sum(quantity) AS quantity, sum(events) AS events
           FROM (SELECT number, quarter AS at, quantity, events FROM tollgate.usage_value_quarters
                  WHERE ${DIMENSION_CONDITION} AND customer_id = :customer AND number = ANY (${numbers}) AND ${within('quarter')}
                    AND ${hasSums(subject)}) AS q
          GROUP BY 1, 2) AS n
         LEFT JOIN tollgate.usage_values u ON u.workspace_id = :workspaceId AND u.environment = :environment
              AND u.dimension_id = :dimensionId AND u.number = n.number
       UNION ALL
       SELECT ${key}, ${BUCKET_OF_AT}, quantity, events FROM (${valuedTail(subject)}) AS t WHERE ${tail}) AS s
      GROUP BY 1, 2`,
    { ...valueBindings(scope, subject), chosen: textArray(chosen) },
  );
  return rows;
}

function valuedTail(subject: ValueSubject): string {
  const tail = tailOf(subject, { features: true, customers: subject.customerId !== null });
  return `SELECT * FROM (${valuedChanges(tail)}) AS v WHERE v.dimension_id = :dimensionId`;
}

function valueBindings(scope: WorkspaceScope, subject: ValueSubject): Record<string, string> {
  const { dimensionId, featureId, customerId } = subject;
  const customer = customerId ?? '';
  return {
    ...seriesBindings(scope, subject),
    dimensionId,
    customer,
    features: textArray([featureId]),
    customers: textArray([customer]),
  };
}
