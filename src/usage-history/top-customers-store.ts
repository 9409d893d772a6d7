import { textArray } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { DAY_MS, isoText } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { wholeDaysOf } from './series-range';
import { featuresOf, hasSums, seriesBindings, tailOf, type SeriesSubject } from './series-store';

const IS_WHOLE = 'day >= CAST(:dayFrom AS timestamptz) AND day < CAST(:dayTo AS timestamptz)';

/**
 * The customers with the largest quantities of a time, largest first. The sums by UTC day bound each from below (the days
 * that are wholly in it) and above (those that it touches); the exact sum is made of those alone that may be among the
 * largest.
 *
 * @param most how many are asked for
 */
export async function findTopCustomers(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subject: SeriesSubject,
  most: number,
): Promise<string[]> {
  const { range, featureId, state } = subject;
  const { days, edges } = wholeDaysOf(range);
  const tail = tailOf(subject, { features: featureId !== null, customers: false });
  // Until all earlier uses are in, what was taken back of one may be in the sums before it: a day's may be too low.
  const mayBeLargest =
    state.earlierAfter === null
      ? `high >= COALESCE((SELECT low FROM bounds ORDER BY low DESC OFFSET ${most - 1} LIMIT 1), '-Infinity')`
      : 'true';
  const { rows } = await trx.raw<{ rows: { customerId: string }[] }>(
    `WITH of_days AS (
       SELECT customer_id, sum(quantity) AS high, sum(quantity) FILTER (WHERE ${IS_WHOLE}) AS low, bool_or(${IS_WHOLE}) AS is_within
         FROM tollgate.usage_customer_days
        WHERE workspace_id = :workspaceId AND environment = :environment AND feature_id = :dayFeature
          AND day >= CAST(:touchedFrom AS timestamptz) AND day < CAST(:to AS timestamptz) AND ${hasSums(subject)}
        GROUP BY customer_id),
     of_tail AS (SELECT customer_id, sum(quantity) AS quantity FROM (${tail}) AS c GROUP BY customer_id),
     bounds AS MATERIALIZED (
       SELECT customer_id, COALESCE(d.low, 0) + COALESCE(t.quantity, 0) AS low, COALESCE(d.high, 0) + COALESCE(t.quantity, 0) AS high,
              COALESCE(d.is_within, false) OR t.quantity IS NOT NULL AS is_within
         FROM of_days d FULL JOIN of_tail t USING (customer_id)),
     candidates AS MATERIALIZED (SELECT customer_id, low, is_within FROM bounds WHERE ${mayBeLargest})
     SELECT c.customer_id AS "customerId"
       FROM candidates c
      CROSS JOIN LATERAL (
        SELECT sum(q.quantity) AS quantity, count(*) AS found
          FROM unnest(CAST(:edgesFrom AS timestamptz[]), CAST(:edgesTo AS timestamptz[])) AS g (edge_from, edge_to)
         CROSS JOIN LATERAL (
           SELECT quantity FROM tollgate.usage_quarters
            WHERE workspace_id = :workspaceId AND environment = :environment AND customer_id = c.customer_id
              AND feature_id = ANY (CAST(:features AS text[])) AND quarter >= g.edge_from AND quarter < g.edge_to
              AND ${hasSums(subject)}) AS q) AS e
      WHERE c.is_within OR e.found > 0
      ORDER BY c.low + COALESCE(e.quantity, 0) DESC, c.customer_id LIMIT ${most}`,
    {
      ...seriesBindings(scope, subject),
      dayFeature: featureId ?? '',
      dayFrom: isoText(days.from),
      dayTo: isoText(days.to),
      touchedFrom: isoText(Math.floor(range.from / DAY_MS) * DAY_MS),
      edgesFrom: textArray(edges.map((edge) => isoText(edge.from))),
      edgesTo: textArray(edges.map((edge) => isoText(edge.to))),
      features: textArray(featuresOf(subject, true)),
    },
  );
  return rows.map(({ customerId }) => customerId);
}
