import { textArray } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';

/** A dimension of a feature: a property by whose values its uses are grouped. */
export interface Dimension {
  id: string;
  name: string;
}

export async function findDimension(
  trx: DbTransaction,
  scope: WorkspaceScope,
  featureId: string,
  name: string,
): Promise<Dimension | undefined> {
  const { rows } = await trx.raw<{ rows: Dimension[] }>(
    `SELECT id, name FROM tollgate.usage_dimensions
      WHERE workspace_id = :workspaceId AND environment = :environment AND feature_id = :featureId AND name = :name AND NOT dropped`,
    { ...scope, featureId, name },
  );
  return rows[0];
}

/**
 * Makes these the feature's dimensions from now on, and no others. Existing ones continue; one that is declared again
 * after it was dropped starts over.
 */
export async function declareDimensions(
  trx: DbTransaction,
  scope: WorkspaceScope,
  featureId: string,
  names: readonly string[],
): Promise<void> {
  const bindings = { ...scope, featureId, names: textArray(names) };
  await trx.raw(
    `UPDATE tollgate.usage_dimensions SET dropped = true
      WHERE workspace_id = :workspaceId AND environment = :environment AND feature_id = :featureId
        AND NOT dropped AND name <> ALL (CAST(:names AS text[]))`,
    bindings,
  );
  await trx.raw(
    `INSERT INTO tollgate.usage_dimensions (workspace_id, environment, feature_id, name)
     SELECT :workspaceId, :environment, :featureId, n.name FROM unnest(CAST(:names AS text[])) AS n (name)
     ON CONFLICT (workspace_id, environment, feature_id, name) WHERE NOT dropped DO NOTHING`,
    bindings,
  );
}

/**
 * Deletes sums of a dropped dimension, or the dimension itself if no sums remain.
 *
 * @param limit maximum number of rows per batch
 * @returns false if there is no dropped dimension
 */
export async function forgetDropped(
  trx: DbTransaction,
  scope: WorkspaceScope,
  limit: number,
): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `SELECT id FROM tollgate.usage_dimensions
      WHERE workspace_id = :workspaceId AND environment = :environment AND dropped ORDER BY id LIMIT 1`,
    { ...scope },
  );
  const [dropped] = rows;
  if (dropped === undefined) return false;
  for (const table of ['usage_value_quarters', 'usage_value_days', 'usage_values']) {
    const { rowCount } = await trx.raw<{ rowCount: number }>(
      `DELETE FROM tollgate.${table} WHERE workspace_id = :workspaceId AND environment = :environment AND ctid = ANY (ARRAY(
         SELECT ctid FROM tollgate.${table}
          WHERE workspace_id = :workspaceId AND environment = :environment AND dimension_id = :id LIMIT ${limit}))`,
      { ...scope, id: dropped.id },
    );
    if (rowCount > 0) return true;
  }
  await trx.raw(
    `DELETE FROM tollgate.usage_dimensions WHERE workspace_id = :workspaceId AND environment = :environment AND id = :id`,
    { ...scope, id: dropped.id },
  );
  return true;
}
