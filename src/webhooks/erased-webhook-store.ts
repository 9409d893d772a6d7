import { textArray } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { tenantColumns, tenantCondition } from '../db/tenant-columns';
import type { ConnectionRef } from '../connections/connection-ref';
import type { Reference } from '../connections/reference-store';
import { ERASED_TEXT } from '../domain/erasure';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** @param at real time */
export async function blankWebhooks(
  trx: DbTransaction,
  scope: WorkspaceScope,
  ids: readonly string[],
  at: Instant,
): Promise<void> {
  if (ids.length === 0) return;
  await trx('tollgate.webhook_events')
    .where(tenantColumns(scope))
    .whereIn('id', ids)
    .update({
      body: Buffer.alloc(0),
      headers: '{}',
      reason: trx.raw('CASE WHEN reason IS NOT NULL THEN ? END', [ERASED_TEXT]),
      erased_at: new Date(at),
    });
}

/**
 * Blanks the bytes of a webhook that names an object of an erased customer. An erasure that is not committed yet waits
 * for this transaction and then finds the webhook.
 *
 * @param references of the webhook and of the provider's facts
 */
export async function blankIfErased(
  trx: DbTransaction,
  { scope, id: connectionId }: Pick<ConnectionRef, 'scope' | 'id'>,
  webhookId: string,
  references: readonly Reference[],
  at: Instant,
): Promise<void> {
  const { rows } = await trx.raw<{ rows: [{ isErased: boolean }] }>(IS_ERASED, {
    ...scope,
    connectionId,
    references: textArray(references.map(({ reference }) => reference)),
  });
  if (rows[0].isErased) await blankWebhooks(trx, scope, [webhookId], at);
}

const TENANT = tenantCondition();

/** Most workspaces have erased no customer; for those only this is checked. */
const IS_ERASED = `
WITH named AS (
  SELECT target_id AS id FROM tollgate.provider_references
   WHERE ${TENANT} AND connection_id = :connectionId AND reference = ANY (:references::text[])
     AND EXISTS (SELECT FROM tollgate.customer_erasures WHERE ${TENANT})),
paid AS (
  SELECT id FROM named
   UNION ALL SELECT payment_id FROM tollgate.refunds WHERE ${TENANT} AND id IN (SELECT id FROM named)
   UNION ALL SELECT payment_id FROM tollgate.disputes WHERE ${TENANT} AND id IN (SELECT id FROM named)),
customers AS (
  SELECT id FROM named
   UNION ALL SELECT customer_id FROM tollgate.payments WHERE ${TENANT} AND id IN (SELECT id FROM paid)
   UNION ALL SELECT customer_id FROM tollgate.subscriptions WHERE ${TENANT} AND id IN (SELECT id FROM named)
   UNION ALL SELECT customer_id FROM tollgate.checkouts WHERE ${TENANT} AND id IN (SELECT id FROM named)
   UNION ALL SELECT customer_id FROM tollgate.subscription_transactions WHERE ${TENANT} AND id IN (SELECT id FROM named))
SELECT EXISTS (SELECT FROM tollgate.customers
                WHERE ${TENANT} AND id IN (SELECT id FROM customers) AND erased_at IS NOT NULL) AS "isErased"`;
