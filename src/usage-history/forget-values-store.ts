import { plainArray, textArray } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { tenantCondition } from '../db/tenant-columns';
import type { WorkspaceScope } from '../tenancy/actor';
import { lockRollupState } from './rollup-state-store';
import { addToValueRollups, hasDimensions } from './rollup-store';
import { changesWithin } from './usage-change-store';

const TENANT_CONDITION = tenantCondition();

/**
 * Removes uses from the sums by value before their properties are blanked; from then on they have no value. Rolling up
 * waits until the transaction ends.
 */
export async function takeOutOfValues(
  trx: DbTransaction,
  scope: WorkspaceScope,
  eventIds: readonly string[],
): Promise<void> {
  // Locks even if there is nothing to remove, to wait for a round that has read the properties but not yet added them.
  const state = await lockRollupState(trx, scope, 'wait');
  // Sums that are being rebuilt do not include these uses, and will not include their values.
  if (state?.isOfThisCluster !== true || !(await hasDimensions(trx, scope))) return;
  const changes = changesWithin('e.id = ANY (CAST(:eventIds AS text[]))');
  await addToValueRollups(trx, scope, changes, { eventIds: textArray(eventIds) }, -1);
}

/**
 * Deletes a batch of the customer's sums by value, once all of its uses have been taken out, and the values that no
 * other customer has used.
 *
 * @param limit maximum number of the customer's rows
 * @returns false if none remained
 */
export async function forgetValuesOf(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
  limit: number,
): Promise<boolean> {
  await lockRollupState(trx, scope, 'wait');
  // By dimension, because the key of the sums begins with it. In the order of the values, so that few are looked up
  // twice.
  const { rows } = await trx.raw<{ rows: { dimensionId: string; number: number }[] }>(
    `WITH gone AS (
       DELETE FROM tollgate.usage_value_quarters WHERE ${TENANT_CONDITION} AND ctid = ANY (ARRAY(
         SELECT q.ctid
           FROM (SELECT id FROM tollgate.usage_dimensions WHERE ${TENANT_CONDITION}) AS d
          CROSS JOIN LATERAL (
            SELECT ctid FROM tollgate.usage_value_quarters
             WHERE ${TENANT_CONDITION} AND dimension_id = d.id AND customer_id = :customerId
             ORDER BY number, quarter LIMIT ${limit}) AS q
          LIMIT ${limit}))
       RETURNING dimension_id, number, quarter),
     empty AS (
       DELETE FROM tollgate.usage_value_quarters q USING gone g
        WHERE q.workspace_id = :workspaceId AND q.environment = :environment AND q.customer_id = ''
          AND q.dimension_id = g.dimension_id AND q.number = g.number AND q.quarter = g.quarter
          AND q.quantity = 0 AND q.events = 0)
     SELECT DISTINCT dimension_id AS "dimensionId", number FROM gone`,
    { ...scope, customerId },
  );
  if (rows.length === 0) return false;
  // LIMIT keeps this a look-up for each value; with NOT EXISTS, all sums might be read.
  await trx.raw(
    `UPDATE tollgate.usage_values v SET value = NULL
       FROM unnest(CAST(:dimensions AS bigint[]), CAST(:numbers AS integer[])) AS g (dimension_id, number)
      WHERE v.workspace_id = :workspaceId AND v.environment = :environment
        AND v.dimension_id = g.dimension_id AND v.number = g.number
        AND (SELECT q.number FROM tollgate.usage_value_quarters q
              WHERE q.workspace_id = :workspaceId AND q.environment = :environment AND q.dimension_id = v.dimension_id
                AND q.customer_id = '' AND q.number = v.number LIMIT 1) IS NULL`,
    {
      ...scope,
      dimensions: plainArray(rows.map(({ dimensionId }) => dimensionId)),
      numbers: plainArray(rows.map(({ number }) => String(number))),
    },
  );
  return true;
}
