import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import { pseudonymOf, type CustomerAffairs } from '../domain/erasure';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * Replaces a customer's name by its pseudonym. Transactions that reference the row finish first.
 *
 * @param at real time
 * @param now workspace time
 */
export async function renameCustomer(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  { at, now }: { at: Instant; now: Instant },
): Promise<void> {
  await trx('tollgate.customers')
    .where({ ...tenantColumns(scope), id })
    .update({
      external_id: pseudonymOf(id),
      name: null,
      email: null,
      metadata: '{}',
      erased_at: new Date(at),
      updated_at: new Date(now),
    });
}

/** Locks the customer: waits for transactions that reference it, and blocks new ones. */
export async function lockCustomerForErasure(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<void> {
  await trx('tollgate.customers')
    .where({ ...tenantColumns(scope), id })
    .forUpdate()
    .select('id');
}

/** Reads what the customer may have in progress. The caller must have locked its row. */
export async function readAffairs(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
): Promise<CustomerAffairs> {
  const { rows } = await trx.raw<{ rows: [CustomerAffairs] }>(AFFAIRS, { ...scope, customerId });
  return rows[0];
}

const OWNED = 'workspace_id = :workspaceId AND environment = :environment AND customer_id = :customerId';

const list = (select: string): string =>
  `coalesce((SELECT json_agg(row_to_json(r)) FROM (${select}) r), '[]')`;

/** Includes what belongs to the customer through another row. */
export const OWNED_IDS = `
  SELECT :customerId AS id
   UNION ALL SELECT id FROM tollgate.subscriptions WHERE ${OWNED}
   UNION ALL SELECT id FROM tollgate.subscription_transactions WHERE ${OWNED}
   UNION ALL SELECT id FROM tollgate.checkouts WHERE ${OWNED}
   UNION ALL SELECT id FROM tollgate.credit_grants WHERE ${OWNED}
   UNION ALL SELECT id FROM tollgate.payments WHERE ${OWNED}
   UNION ALL SELECT r.id FROM tollgate.payments p JOIN tollgate.refunds r USING (workspace_id, environment)
              WHERE ${OWNED} AND r.payment_id = p.id
   UNION ALL SELECT d.id FROM tollgate.payments p JOIN tollgate.disputes d USING (workspace_id, environment)
              WHERE ${OWNED} AND d.payment_id = p.id`;

const AFFAIRS = `
SELECT ${list(`SELECT id, status, coalesce(jsonb_typeof(provider_work -> 'unsettled'), 'null') <> 'null' AS unsettled
                 FROM tollgate.subscriptions WHERE ${OWNED}`)} AS subscriptions,
       ${list(`SELECT id, status FROM tollgate.checkouts WHERE ${OWNED} AND status = 'open'`)} AS checkouts,
       ${list(`SELECT r.id, r.status FROM tollgate.payments p JOIN tollgate.refunds r USING (workspace_id, environment)
                WHERE ${OWNED} AND r.payment_id = p.id AND r.status = 'pending'`)} AS refunds,
       ${list(`SELECT id, status FROM tollgate.operations
                WHERE workspace_id = :workspaceId AND environment = :environment AND status IN ('pending', 'accepted')
                  AND (target_id IN (${OWNED_IDS}) OR subscription_id IN (${OWNED_IDS}))`)} AS operations`;

/** Returns the ids of the customer and everything that belongs to it. */
export async function findOwnedIds(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(OWNED_IDS, { ...scope, customerId });
  return rows.map(({ id }) => id);
}
