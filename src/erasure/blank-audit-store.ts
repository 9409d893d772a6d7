import { textArray } from '../db/parameters';
import type { BlankBatch } from './blanking';
import { idsOf, jsonBindings } from './erased-json-store';

/**
 * Blanks the audit records of actions on the customer and what belongs to it. The actor, the action, the time and ids
 * remain. Of the many uses, only reversed ones have records. The collation is that of `target`, whose index finds no
 * values of another.
 */
export const blankAudit: BlankBatch = async ({ trx, scope, customerId, ids }) => {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `UPDATE tollgate.audit_records a SET detail = ${idsOf('a.detail')}
      WHERE a.workspace_id = :workspaceId AND a.environment = :environment AND a.target IN (
              SELECT unnest(:ids::text[])
               UNION ALL
              SELECT event_id COLLATE "default" FROM tollgate.usage_reversals
               WHERE workspace_id = :workspaceId AND environment = :environment AND customer_id = :customerId)
        AND a.detail <> ${idsOf('a.detail')}`,
    { ...scope, ...jsonBindings(customerId), customerId, ids: textArray(ids) },
  );
  return { blanked: { audit: rowCount }, after: null };
};
