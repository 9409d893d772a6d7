import { textArray } from '../db/parameters';
import type { BlankBatch } from './blanking';
import { jsonBindings, namesOneOfIds } from './erased-json-store';

const BATCH = 2_000;

/**
 * Blanks the webhook messages about the customer and what belongs to it, scanning all of the workspace, because a
 * command's may show only in its payload whom it concerns. The payload is removed, and a resend renders what remains.
 * All of its messages are updated, even those without a payload, so that one being rendered is waited for. Receivers'
 * answers are removed too, because they may quote the message. An attempt that ends later finds the payload removed,
 * and keeps no answer. They are updated by an array of their ids, for the reason in `blank-events-store.ts`.
 */
export const blankMessages: BlankBatch = async ({ trx, scope, customerId, ids }, after) => {
  const {
    rows: [page],
  } = await trx.raw<{ rows: [{ read: number; last: string | null }] }>(
    `SELECT count(*)::int AS read, max(p.id) AS last
       FROM (SELECT id FROM tollgate.webhook_messages
              WHERE workspace_id = :workspaceId AND environment = :environment AND id > :after
              ORDER BY id LIMIT ${BATCH}) p`,
    { ...scope, after: after ?? '' },
  );
  const range = { after: after ?? '', last: page.last ?? '' };
  const { rows } = await trx.raw<{ rows: [{ blanked: string; ids: string[] }] }>(
    `WITH own AS (
       SELECT m.id, m.payload IS NOT NULL AS sent FROM tollgate.webhook_messages m
        WHERE m.workspace_id = :workspaceId AND m.environment = :environment AND m.id > :after AND m.id <= :last
          AND (m.resource_id = ANY (:ids::text[]) OR m.resource_kind = 'operation' AND (
            EXISTS (SELECT FROM tollgate.operations o
                     WHERE o.workspace_id = :workspaceId AND o.environment = :environment AND o.id = m.resource_id
                       AND (o.target_id = ANY (:ids::text[]) OR o.subscription_id = ANY (:ids::text[])))
            OR ${namesOneOfIds('m.payload')}))
        ORDER BY m.id FOR NO KEY UPDATE OF m),
     done AS (
       UPDATE tollgate.webhook_messages m SET payload = NULL FROM (SELECT array_agg(id) AS ids FROM own) AS own
        WHERE m.workspace_id = :workspaceId AND m.environment = :environment AND m.id = ANY (own.ids))
     SELECT count(*) FILTER (WHERE sent) AS blanked, coalesce(array_agg(id), '{}') AS ids FROM own`,
    { ...scope, ...jsonBindings(customerId), ...range, ids: textArray(ids) },
  );
  const [{ blanked, ids: messageIds }] = rows;
  await trx.raw(
    `UPDATE tollgate.webhook_attempts SET answer = NULL
      WHERE workspace_id = :workspaceId AND environment = :environment AND message_id = ANY (:messageIds::text[])
        AND answer IS NOT NULL`,
    { ...scope, messageIds: textArray(messageIds) },
  );
  return { blanked: { webhookMessages: Number(blanked) }, after: page.read < BATCH ? null : page.last };
};
