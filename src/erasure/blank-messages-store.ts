import { textArray } from '../db/parameters';
import type { BlankBatch } from './blanking';
import { jsonBindings, namesOneOfIds } from './erased-json';

/**
 * What webhook endpoints were sent about the customer and what belongs to it: the text goes, and whoever sends the message
 * again renders what is left. All of its messages are written, also those without a text, so that one which is being
 * rendered is waited for.
 */
export const blankMessages: BlankBatch = async ({ trx, scope, customerId, ids }) => {
  const { rows } = await trx.raw<{ rows: [{ blanked: string }] }>(
    `WITH own AS (
       SELECT m.id, m.payload IS NOT NULL AS sent FROM tollgate.webhook_messages m
        WHERE m.workspace_id = :workspaceId AND m.environment = :environment
          AND (m.resource_id = ANY (:ids::text[]) OR m.resource_kind = 'operation' AND (
            m.resource_id IN (SELECT o.id FROM tollgate.operations o
                               WHERE o.workspace_id = :workspaceId AND o.environment = :environment
                                 AND (o.target_id = ANY (:ids::text[]) OR o.subscription_id = ANY (:ids::text[])))
            OR ${namesOneOfIds('m.payload')}))),
     done AS (
       UPDATE tollgate.webhook_messages m SET payload = NULL FROM own
        WHERE m.workspace_id = :workspaceId AND m.environment = :environment AND m.id = own.id)
     SELECT count(*) FILTER (WHERE sent) AS blanked FROM own`,
    { ...scope, ...jsonBindings(customerId), ids: textArray(ids) },
  );
  return { blanked: { webhookMessages: Number(rows[0].blanked) }, after: null };
};
