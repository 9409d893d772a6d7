import { textArray } from '../db/parameters';
import type { BlankBatch } from './blanking';
import { idsOf, jsonBindings } from './erased-json';

/** The records of what was done to the customer and to what belongs to it: who did what and when, and ids. */
export const blankAudit: BlankBatch = async ({ trx, scope, customerId, ids }) => {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `UPDATE tollgate.audit_records a SET detail = ${idsOf('a.detail')}
      WHERE a.workspace_id = :workspaceId AND a.environment = :environment AND a.target = ANY (:ids::text[])
        AND a.detail <> ${idsOf('a.detail')}`,
    { ...scope, ...jsonBindings(customerId), ids: textArray(ids) },
  );
  return { blanked: { audit: rowCount }, after: null };
};
