import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';
import { dayOf, quarterOf, valuedChanges } from './usage-change-store';

/** Maximum number of distinct values per dimension. */
const MAX_VALUES = 1_000;

/** Adds changes (usage-change-store.ts) to the sums by quarter of an hour, and by customer and day. */
export async function addToRollups(
  trx: DbTransaction,
  scope: WorkspaceScope,
  changes: string,
  bindings: Readonly<Record<string, string>>,
): Promise<void> {
  await trx.raw(
    `WITH changes AS MATERIALIZED (
       SELECT customer_id, feature_id, ${quarterOf('at')} AS quarter, sum(quantity) AS quantity, sum(events) AS events
         FROM (${changes}) AS c GROUP BY 1, 2, 3),
     of_features AS MATERIALIZED (
       SELECT feature_id, quarter, sum(quantity) AS quantity, sum(events) AS events FROM changes GROUP BY 1, 2),
     quarters AS (
       INSERT INTO tollgate.usage_quarters AS q (workspace_id, environment, customer_id, feature_id, quarter, quantity, events)
       SELECT :workspaceId, :environment, s.* FROM (
         SELECT customer_id, feature_id, quarter, quantity, events FROM changes
         UNION ALL
         SELECT '', feature_id, quarter, quantity, events FROM of_features
         UNION ALL
         SELECT '', '', quarter, sum(quantity), sum(events) FROM of_features GROUP BY quarter) AS s
        ORDER BY 3, 4, 5
       ON CONFLICT (workspace_id, environment, customer_id, feature_id, quarter) DO UPDATE
         SET quantity = q.quantity + EXCLUDED.quantity, events = q.events + EXCLUDED.events),
     of_days AS MATERIALIZED (
       SELECT feature_id, ${dayOf('quarter')} AS day, customer_id, sum(quantity) AS quantity, sum(events) AS events
         FROM changes GROUP BY 1, 2, 3)
     INSERT INTO tollgate.usage_customer_days AS d (workspace_id, environment, feature_id, day, customer_id, quantity, events)
     SELECT :workspaceId, :environment, s.* FROM (
       SELECT feature_id, day, customer_id, quantity, events FROM of_days
       UNION ALL
       SELECT '', day, customer_id, sum(quantity), sum(events) FROM of_days GROUP BY day, customer_id) AS s
      ORDER BY 3, 4, 5
     ON CONFLICT (workspace_id, environment, feature_id, day, customer_id) DO UPDATE
       SET quantity = d.quantity + EXCLUDED.quantity, events = d.events + EXCLUDED.events`,
    { ...scope, ...bindings },
  );
}

/** Lets the open transaction sort a batch in memory, without temporary files. */
export async function sortInMemory(trx: DbTransaction): Promise<void> {
  await trx.raw("SET LOCAL work_mem = '64MB'");
}

/** Whether any feature has a dimension. */
export async function hasDimensions(trx: DbTransaction, scope: WorkspaceScope): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `SELECT FROM tollgate.usage_dimensions
      WHERE workspace_id = :workspaceId AND environment = :environment AND NOT dropped LIMIT 1`,
    { ...scope },
  );
  return rows.length > 0;
}

/**
 * Returns SQL for the values that have no number yet, in the order of their transactions, as long as there is room:
 * dimension_id, number, value. A reader of the rows after the watermark assigns the same numbers.
 *
 * @param valued a selection of dimension_id, value and written (`valuedChanges`)
 */
export function newValues(valued: string): string {
  return `
    SELECT n.dimension_id, k.numbered + n.place AS number, n.value
      FROM (SELECT v.dimension_id, v.value, row_number() OVER (PARTITION BY v.dimension_id ORDER BY min(v.written), v.value) AS place
              FROM (${valued}) AS v
             WHERE v.value IS NOT NULL AND NOT EXISTS (
               SELECT FROM tollgate.usage_values u
                WHERE u.workspace_id = :workspaceId AND u.environment = :environment
                  AND u.dimension_id = v.dimension_id AND u.value = v.value)
             GROUP BY v.dimension_id, v.value) AS n
     CROSS JOIN LATERAL (
       SELECT COALESCE(max(u.number), 0) AS numbered FROM tollgate.usage_values u
        WHERE u.workspace_id = :workspaceId AND u.environment = :environment AND u.dimension_id = n.dimension_id) AS k
     WHERE k.numbered + n.place <= ${MAX_VALUES}`;
}

/**
 * Adds changes to the sums by dimension and value.
 *
 * @param sign -1 subtracts them
 */
export async function addToValueRollups(
  trx: DbTransaction,
  scope: WorkspaceScope,
  changes: string,
  bindings: Readonly<Record<string, string>>,
  sign: 1 | -1 = 1,
): Promise<void> {
  // The statement does not see the rows that it inserts itself. Values being subtracted already have a number.
  const numbered = `
     INSERT INTO tollgate.usage_values (workspace_id, environment, dimension_id, number, value)
     SELECT :workspaceId, :environment, n.* FROM (${newValues('SELECT * FROM changed')}) AS n
     RETURNING dimension_id, number, value`;
  await trx.raw(
    `WITH changed AS MATERIALIZED (
       SELECT dimension_id, customer_id, value, ${quarterOf('at')} AS quarter,
              ${sign} * sum(quantity) AS quantity, ${sign} * sum(events) AS events, min(written) AS written
         FROM (${valuedChanges(changes)}) AS c GROUP BY 1, 2, 3, 4),
     numbered AS (${sign === 1 ? numbered : 'SELECT 0 AS dimension_id, 0 AS number, NULL AS value WHERE false'}),
     known AS MATERIALIZED (
       SELECT dimension_id, number, value FROM tollgate.usage_values WHERE workspace_id = :workspaceId AND environment = :environment
       UNION ALL
       SELECT dimension_id, number, value FROM numbered),
     valued AS MATERIALIZED (
       SELECT c.dimension_id, c.customer_id, COALESCE(k.number, 0) AS number, c.quarter,
              sum(c.quantity) AS quantity, sum(c.events) AS events
         FROM changed c LEFT JOIN known k USING (dimension_id, value) GROUP BY 1, 2, 3, 4),
     of_values AS MATERIALIZED (
       SELECT dimension_id, number, quarter, sum(quantity) AS quantity, sum(events) AS events FROM valued GROUP BY 1, 2, 3),
     quarters AS (
       INSERT INTO tollgate.usage_value_quarters AS q
         (workspace_id, environment, dimension_id, customer_id, number, quarter, quantity, events)
       SELECT :workspaceId, :environment, s.* FROM (
         SELECT dimension_id, customer_id, number, quarter, quantity, events FROM valued
         UNION ALL
         SELECT dimension_id, '', number, quarter, quantity, events FROM of_values
         UNION ALL
         SELECT dimension_id, '', -1, quarter, sum(quantity), sum(events) FROM of_values GROUP BY dimension_id, quarter) AS s
        ORDER BY 3, 4, 5, 6
       ON CONFLICT (workspace_id, environment, dimension_id, customer_id, number, quarter) DO UPDATE
         SET quantity = q.quantity + EXCLUDED.quantity, events = q.events + EXCLUDED.events)
     INSERT INTO tollgate.usage_value_days AS d (workspace_id, environment, dimension_id, day, number, quantity, events)
     SELECT :workspaceId, :environment, dimension_id, ${dayOf('quarter')}, number, sum(quantity), sum(events)
       FROM of_values GROUP BY 3, 4, 5 ORDER BY 3, 4, 5
     ON CONFLICT (workspace_id, environment, dimension_id, day, number) DO UPDATE
       SET quantity = d.quantity + EXCLUDED.quantity, events = d.events + EXCLUDED.events`,
    { ...scope, ...bindings },
  );
}
