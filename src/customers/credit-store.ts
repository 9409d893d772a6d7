import { dateOrNull } from '../db/parameters';
import { createdWithin } from '../db/created-within';
import type { IdPart } from '../pagination/page-by-id';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** Credits granted to a customer; `amount` and `remaining` are decimal text. */
export interface CreditGrantRow {
  id: string;
  customerId: string;
  amount: string;
  /** Credits that usage has not taken. */
  remaining: string;
  reason: string | null;
  expiresAt: Instant | null;
  createdAt: Instant;
}

const COLUMNS = {
  id: 'id',
  customerId: 'customer_id',
  amount: 'amount',
  remaining: 'remaining',
  reason: 'reason',
  expiresAt: 'expires_at',
  createdAt: 'created_at',
} satisfies Partial<Record<keyof CreditGrantRow, string>>;

/** Lists grants, newest first. Returns one row more than a page, to show whether another page follows. */
export async function listCreditGrants(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
  page: IdPart,
): Promise<CreditGrantRow[]> {
  const query = trx('tollgate.credit_grants')
    .where({ ...tenantColumns(scope), customer_id: customerId })
    .orderBy('id', 'desc')
    .limit(page.take + 1)
    .select<CreditGrantRow[]>(COLUMNS);
  createdWithin(query, 'created_at', page);
  if (page.before !== undefined) void query.where('id', '<', page.before);
  return query;
}

export async function findCreditGrant(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
  id: string,
): Promise<CreditGrantRow | undefined> {
  return trx('tollgate.credit_grants')
    .where({ ...tenantColumns(scope), customer_id: customerId, id })
    .first<CreditGrantRow | undefined>(COLUMNS);
}

/**
 * Sums the credits that the customer can still spend at `now`, excluding those that reservations hold, as decimal text.
 */
export async function sumSpendableCredits(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
  now: Instant,
): Promise<string> {
  const { rows } = await trx.raw<{ rows: { balance: string }[] }>(
    `SELECT coalesce(sum(g.remaining), 0) - coalesce(sum(h.credits), 0) AS balance
       FROM tollgate.credit_grants g
       LEFT JOIN (
         SELECT d."grantId" AS id, sum(d.credits) AS credits
           FROM tollgate.usage_reservations r
          CROSS JOIN LATERAL json_to_recordset(r.deductions) AS d ("grantId" text, credits numeric)
          WHERE r.workspace_id = :workspaceId AND r.environment = :environment AND r.customer_id = :customerId
            AND r.status = 'held' AND r.expires_at > :now
          GROUP BY d."grantId") AS h ON h.id = g.id
      WHERE g.workspace_id = :workspaceId AND g.environment = :environment AND g.customer_id = :customerId
        AND g.remaining > 0 AND (g.expires_at IS NULL OR g.expires_at > :now)`,
    { workspaceId: scope.workspaceId, environment: scope.environment, customerId, now: new Date(now) },
  );
  return rows[0]?.balance ?? '0';
}

/** Counts the customer's grants with credits that can still be spent at `now`. */
export async function countOpenGrants(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
  now: Instant,
): Promise<number> {
  const row = await trx('tollgate.credit_grants')
    .where({ ...tenantColumns(scope), customer_id: customerId })
    .where('remaining', '>', 0)
    .where((grant) => {
      void grant.whereNull('expires_at').orWhere('expires_at', '>', new Date(now));
    })
    .count<{ count: string }[]>({ count: '*' })
    .first();
  return Number(row?.count ?? 0);
}

export async function insertCreditGrant(
  trx: DbTransaction,
  scope: WorkspaceScope,
  grant: CreditGrantRow,
): Promise<void> {
  await trx('tollgate.credit_grants').insert({
    ...tenantColumns(scope),
    id: grant.id,
    customer_id: grant.customerId,
    amount: grant.amount,
    remaining: grant.remaining,
    reason: grant.reason,
    expires_at: dateOrNull(grant.expiresAt),
    created_at: new Date(grant.createdAt),
  });
}

/**
 * Expires the grant at `expiresAt`. Its remaining credits stay in the row, so that grants less deductions still add up.
 */
export async function updateCreditExpiry(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  expiresAt: Instant,
): Promise<void> {
  await trx('tollgate.credit_grants')
    .where({ ...tenantColumns(scope), id })
    .update({ expires_at: new Date(expiresAt) });
}
