import { textArray } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { DAY_MS, isoText } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { monthsOfDays, wholeDaysOf } from './series-range';
import { featureIdsOf, hasSums, seriesBindings, tailOf, type SeriesSubject } from './series-store';

/**
 * Returns the customers with the largest quantities of a time range, largest first. The sums by UTC month and day bound
 * each customer from below (the days wholly within the range) and above (the days it touches). The exact sum is
 * computed only for customers that may be among the largest.
 *
 * @param limit number of customers requested
 */
export async function findTopCustomers(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subject: SeriesSubject,
  limit: number,
): Promise<string[]> {
  const { range, featureId, state } = subject;
  const parts = wholeDaysOf(range);
  const { edges } = parts;
  const tail = tailOf(subject, { features: featureId !== null, customers: false });
  const sums = customerSums(parts);
  // Until all earlier uses are included, a reversal may be in the sums before its use, so a day's sum may be too low.
  const mayBeLargest =
    state.earlierAfter === null
      ? `high >= COALESCE((SELECT low FROM bounds ORDER BY low DESC OFFSET ${limit - 1} LIMIT 1), '-Infinity')`
      : 'true';
  const { rows } = await trx.raw<{ rows: { customerId: string }[] }>(
    `WITH of_days AS (
       SELECT customer_id, sum(quantity) FILTER (WHERE is_whole) AS low, sum(quantity) FILTER (WHERE NOT is_whole) AS touched,
              sum(events) FILTER (WHERE is_whole) > 0 AS is_within
         FROM (${sums.selections}) AS s WHERE ${hasSums(subject)} GROUP BY customer_id),
     of_tail AS (SELECT customer_id, sum(quantity) AS quantity FROM (${tail}) AS c GROUP BY customer_id),
     bounds AS MATERIALIZED (
       SELECT customer_id, COALESCE(d.low, 0) + COALESCE(t.quantity, 0) AS low,
              COALESCE(d.low, 0) + COALESCE(d.touched, 0) + COALESCE(t.quantity, 0) AS high,
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
      ORDER BY c.low + COALESCE(e.quantity, 0) DESC, c.customer_id LIMIT ${limit}`,
    {
      ...seriesBindings(scope, subject),
      ...sums.bindings,
      dayFeature: featureId ?? '',
      edgesFrom: textArray(edges.map((edge) => isoText(edge.from))),
      edgesTo: textArray(edges.map((edge) => isoText(edge.to))),
      features: textArray(featureIdsOf(subject)),
    },
  );
  return rows.map(({ customerId }) => customerId);
}

/**
 * Returns the SQL for the customers' sums of the whole days of a time range (`wholeDaysOf`), in as few rows as
 * possible, and of the days that it partly covers: customer_id, quantity, events, is_whole. Binds :dayFeature and the
 * bindings returned.
 */
function customerSums({ days, edges }: ReturnType<typeof wholeDaysOf>): {
  selections: string;
  bindings: Record<string, string>;
} {
  const whole = monthsOfDays(days);
  const touched = edges.map((edge) => ({
    from: Math.floor(edge.from / DAY_MS) * DAY_MS,
    to: Math.ceil(edge.to / DAY_MS) * DAY_MS,
  }));
  const parts = [
    { table: 'months', column: 'month', ...whole.months, sign: 1, isWhole: true },
    ...whole.days.map((span) => ({ table: 'days', column: 'day', ...span, isWhole: true })),
    ...touched.map((span) => ({ table: 'days', column: 'day', ...span, sign: 1, isWhole: false })),
  ];
  // Each part binds its own instants, from which the planner estimates how few rows it has.
  const selections = parts.map(
    ({ table, column, sign, isWhole }, place) => `
    SELECT customer_id, ${sign} * quantity AS quantity, ${sign} * events AS events, ${isWhole} AS is_whole
      FROM tollgate.usage_customer_${table}
     WHERE workspace_id = :workspaceId AND environment = :environment AND feature_id = :dayFeature
       AND ${column} >= CAST(:from${place} AS timestamptz) AND ${column} < CAST(:to${place} AS timestamptz)`,
  );
  const bindings = parts.flatMap(({ from, to }, place) => [
    [`from${place}`, isoText(from)],
    [`to${place}`, isoText(to)],
  ]);
  return {
    selections: selections.join(' UNION ALL '),
    bindings: Object.fromEntries(bindings) as Record<string, string>,
  };
}
