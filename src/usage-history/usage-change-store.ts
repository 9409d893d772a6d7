import type { RollupState } from './rollup-state-store';

/*
 * Changes of the usage sums, as SQL. A use adds its quantity at its time, and a reversal subtracts at the time of its
 * use. Columns: id, customer_id, feature_id, at, quantity, events, properties, written (the use's transaction). The
 * workspace is bound as :workspaceId and :environment.
 */

/**
 * Time of a use `e`, written as the expression of its indexes. COALESCE would not match them: row-level security keeps
 * conditions that are not known to be leakproof from using an index.
 */
export const TIME_OF_USE = '(CASE WHEN e.used_at IS NULL THEN e.recorded_at ELSE e.used_at END)';

const USE_COLUMNS = `e.id, e.customer_id, e.feature_id, ${TIME_OF_USE} AS at`;

/** Conditions on a use `e` and, for a reversal `r`, also on that. */
interface Chosen {
  uses: readonly string[];
  reversals: string;
}

/**
 * Returns SQL for the uses that match each of the conditions, and the matching reversals.
 * @param also a further condition on both, by the use `e`
 */
function changesOf({ uses, reversals }: Chosen, also = 'true'): string {
  const parts = uses.map(
    (condition) => `
    SELECT ${USE_COLUMNS}, e.quantity, 1 AS events, e.properties, e.transaction_id AS written
      FROM tollgate.usage_events e
     WHERE e.workspace_id = :workspaceId AND e.environment = :environment AND ${condition} AND ${also}`,
  );
  return [
    ...parts,
    `
    SELECT ${USE_COLUMNS}, -r.quantity, 0, e.properties, e.transaction_id
      FROM tollgate.usage_reversals r
      JOIN tollgate.usage_events e
        ON e.workspace_id = r.workspace_id AND e.environment = r.environment AND e.id = r.event_id
     WHERE r.workspace_id = :workspaceId AND r.environment = :environment AND ${reversals}
       AND e.workspace_id = :workspaceId AND e.environment = :environment AND ${also}`,
  ].join(' UNION ALL ');
}

/**
 * Returns SQL for the changes that the sums do not include yet. Binds :watermark, and :earlierAfter if it is set.
 * @param also a further condition, by the use `e`
 */
export function changesAfter({ earlierAfter }: RollupState, also: string): string {
  const uses = ['e.transaction_id >= CAST(:watermark AS xid8)'];
  if (earlierAfter !== null) uses.push('e.transaction_id IS NULL AND e.id > :earlierAfter');
  return changesOf({ uses, reversals: 'r.transaction_id >= CAST(:watermark AS xid8)' }, also);
}

/** Changes written by a batch of transactions. Binds :watermark and :until. */
export const CHANGES_OF_BATCH = changesOf({
  uses: ['e.transaction_id >= CAST(:watermark AS xid8) AND e.transaction_id < CAST(:until AS xid8)'],
  reversals: 'r.transaction_id >= CAST(:watermark AS xid8) AND r.transaction_id < CAST(:until AS xid8)',
});

/** A batch of uses without a transaction; reversals always have one. Binds :after and :until. */
export const CHANGES_OF_EARLIER_BATCH = changesOf({
  uses: ['e.transaction_id IS NULL AND e.id > :after AND e.id <= :until'],
  reversals: 'false',
});

const FROM_STATE = `FROM tollgate.usage_rollups s WHERE s.workspace_id = :workspaceId AND s.environment = :environment`;

/**
 * Returns SQL for the changes that the sums include, by the state that the statement itself sees.
 * @param also a further condition, by the use `e`
 */
export function changesWithin(also?: string): string {
  const uses = [
    `e.transaction_id < (SELECT s.watermark ${FROM_STATE})`,
    `e.transaction_id IS NULL AND EXISTS (SELECT ${FROM_STATE} AND (s.earlier_after IS NULL OR e.id <= s.earlier_after))`,
  ];
  return changesOf({ uses, reversals: `r.transaction_id < (SELECT s.watermark ${FROM_STATE})` }, also);
}

/** SQL expressions for the quarter of an hour, and the UTC day, that contains an instant. */
export const quarterOf = (instant: string): string => `date_bin('15 minutes', ${instant}, to_timestamp(0))`;
export const dayOf = (instant: string): string => `date_bin('1 day', ${instant}, to_timestamp(0))`;

/** Values longer than this (characters) are not grouped separately, because an index limits their length. */
const MAX_VALUE_LENGTH = 256;

/**
 * Returns SQL for changes by dimension: dimension_id, feature_id, customer_id, at, value, quantity, events, written.
 * Changes without a value are omitted: if the property is missing or is neither text, number nor boolean, and for uses
 * from before the dimension was declared (unknown to a rebuild after a restored dump, for which it counts for all
 * uses). `value` is null for text that is too long to be grouped separately.
 *
 * @param changes such a selection
 */
export function valuedChanges(changes: string): string {
  return `
    SELECT d.id AS dimension_id, c.customer_id, c.at, c.quantity, c.events, c.written,
           CASE WHEN length(v.value) <= ${MAX_VALUE_LENGTH} THEN v.value END AS value
      FROM (${changes}) AS c
      JOIN tollgate.usage_dimensions d
        ON d.workspace_id = :workspaceId AND d.environment = :environment AND d.feature_id = c.feature_id
       AND NOT d.dropped AND (c.written >= d.since OR d.since = CAST('0' AS xid8))
     CROSS JOIN LATERAL (
       SELECT CASE WHEN json_typeof(c.properties -> d.name) IN ('string', 'number', 'boolean')
                   THEN c.properties ->> d.name END AS value) AS v
     WHERE v.value IS NOT NULL`;
}
