import { textArray } from '../db/parameters';
import type { BlankBatch } from './blanking';
import { idsOf, jsonBindings } from './erased-json';

/**
 * The records of what was done to the customer and to what belongs to it: who did what and when, and ids. Of its uses,
 * which are many, there are records only of those that were taken back.
 */
export const blankAudit: BlankBatch = async ({ trx, scope, customerId, ids }) => {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `UPDATE tollgate.audit_records a SET detail = ${idsOf('a.detail')}
      WHERE a.workspace_id = :workspaceId AND a.environment = :environment AND a.target IN (
              SELECT unnest(:ids::text[])
               UNION ALL
              SELECT event_id FROM tollgate.usage_reversals
               WHERE workspace_id = :workspaceId AND environment = :environment AND customer_id = :customerId)
        AND a.detail <> ${idsOf('a.detail')}`,
    { ...scope, ...jsonBindings(customerId), customerId, ids: textArray(ids) },
  );
  return { blanked: { audit: rowCount }, after: null };
};
