import { textArray } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';
import { lockRollupState } from './rollup-state-store';
import { addToValueRollups, hasDimensions } from './rollup-store';
import { changesWithin } from './usage-change-store';

const OF_TENANT = 'workspace_id = :workspaceId AND environment = :environment';

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

/** Deletes the values that no other customer has used, once all uses of a customer have been removed. */
export async function forgetValuesOf(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
): Promise<void> {
  const bindings = { ...scope, customerId };
  await lockRollupState(trx, scope, 'wait');
  await trx.raw(
    `DELETE FROM tollgate.usage_value_quarters q
      USING tollgate.usage_value_quarters c
      WHERE c.workspace_id = :workspaceId AND c.environment = :environment AND c.customer_id = :customerId
        AND q.workspace_id = :workspaceId AND q.environment = :environment AND q.customer_id = ''
        AND q.dimension_id = c.dimension_id AND q.number = c.number AND q.quarter = c.quarter
        AND q.quantity = 0 AND q.events = 0`,
    bindings,
  );
  await trx.raw(
    `WITH gone AS (
       DELETE FROM tollgate.usage_value_quarters WHERE ${OF_TENANT} AND customer_id = :customerId
       RETURNING dimension_id, number)
     UPDATE tollgate.usage_values v SET value = NULL
       FROM (SELECT DISTINCT dimension_id, number FROM gone) AS g
      WHERE v.workspace_id = :workspaceId AND v.environment = :environment
        AND v.dimension_id = g.dimension_id AND v.number = g.number
        AND NOT EXISTS (
          SELECT FROM tollgate.usage_value_quarters q
           WHERE q.workspace_id = :workspaceId AND q.environment = :environment AND q.dimension_id = v.dimension_id
             AND q.customer_id = '' AND q.number = v.number)`,
    bindings,
  );
}
