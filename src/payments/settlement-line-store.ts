import { plainArray } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import type { SettledIds } from './settled-ids';
import type { SettlementRow } from './settlement-store';

/** A payment or a refund that a settlement counts. */
export interface SettlementLine {
  /** `returned_refund`: its money came back with this settlement. */
  kind: 'payment' | 'refund' | 'returned_refund';
  id: string;
  /** Minor units. */
  amount: bigint;
  /** When the payment was received, or the refund completed. */
  at: Instant;
}

const UNSETTLED = `
SELECT 'payment' AS kind, id, amount, received_at AS at FROM (
  SELECT p.id, p.amount, p.received_at FROM tollgate.payments p
   WHERE p.workspace_id = :workspaceId AND p.environment = :environment
     AND p.provider = :provider AND p.currency = :currency AND p.received_at < :periodEnd
     AND p.settlement_id IS NULL AND p.status = 'succeeded'
   ORDER BY p.id FOR UPDATE) AS paid
UNION ALL
SELECT 'refund', id, amount, completed_at FROM (
  SELECT r.id, r.amount, r.completed_at FROM tollgate.refunds r
    JOIN tollgate.payments p ON p.workspace_id = r.workspace_id AND p.environment = r.environment AND p.id = r.payment_id
   WHERE r.workspace_id = :workspaceId AND r.environment = :environment
     AND p.provider = :provider AND r.currency = :currency AND r.completed_at < :periodEnd
     AND r.settlement_id IS NULL AND r.status = 'succeeded'
   ORDER BY r.id FOR UPDATE OF r) AS refunded`;

/** Locks the unsettled rows of a provider and currency, up to the end of a period; in no particular order. */
export async function lockUnsettled(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { provider, currency, periodEnd }: Pick<SettlementRow, 'provider' | 'currency' | 'periodEnd'>,
): Promise<SettlementLine[]> {
  const bindings = { ...scope, provider, currency, periodEnd: new Date(periodEnd) };
  const { rows } = await trx.raw<{ rows: (Omit<SettlementLine, 'amount'> & { amount: string })[] }>(
    UNSETTLED,
    bindings,
  );
  return rows.map(toLine);
}

/** The columns that link a row to the settlement that counts it. */
const COUNTED = [
  { table: 'payments', column: 'settlement_id', of: 'ids' },
  { table: 'refunds', column: 'settlement_id', of: 'ids' },
  { table: 'refunds', column: 'returned_settlement_id', of: 'returned' },
] as const;

/**
 * Links payments and refunds to the settlement that counts them. Already linked ones are not locked: other transactions
 * lock them before the settlement.
 */
export async function linkLines(
  trx: DbTransaction,
  { workspaceId, environment }: WorkspaceScope,
  settlementId: string,
  counted: SettledIds,
): Promise<void> {
  for (const { table, column, of } of COUNTED) {
    const ids = counted[of];
    if (ids.length === 0) continue;
    await trx.raw(
      `UPDATE tollgate.${table} SET ${column} = :settlementId
        WHERE workspace_id = :workspaceId AND environment = :environment AND id = ANY (:ids::text[])
          AND ${column} IS DISTINCT FROM :settlementId`,
      { workspaceId, environment, settlementId, ids: plainArray(ids) },
    );
  }
}

/** Unlinks the payments and refunds of a settlement, so that another one may count them, except those it keeps. */
export async function unlinkLines(
  trx: DbTransaction,
  { workspaceId, environment }: WorkspaceScope,
  settlementId: string,
  keep: SettledIds = { ids: [], returned: [] },
): Promise<void> {
  for (const { table, column, of } of COUNTED) {
    await trx.raw(
      `UPDATE tollgate.${table} SET ${column} = NULL
        WHERE workspace_id = :workspaceId AND environment = :environment AND ${column} = :settlementId
          AND NOT id = ANY (:keep::text[])`,
      { workspaceId, environment, settlementId, keep: plainArray(keep[of]) },
    );
  }
}

/** Lists the rows that a settlement counts, earliest first. */
export async function listSettlementLines(
  trx: DbTransaction,
  scope: WorkspaceScope,
  settlementId: string,
  limit: number,
): Promise<SettlementLine[]> {
  const { rows } = await trx.raw<{ rows: (Omit<SettlementLine, 'amount'> & { amount: string })[] }>(
    `SELECT 'payment' AS kind, id, amount, received_at AS at FROM tollgate.payments
      WHERE workspace_id = :workspaceId AND environment = :environment AND settlement_id = :settlementId
     UNION ALL
     SELECT 'refund', id, amount, coalesce(completed_at, requested_at) FROM tollgate.refunds
      WHERE workspace_id = :workspaceId AND environment = :environment AND settlement_id = :settlementId
     UNION ALL
     SELECT 'returned_refund', id, amount, coalesce(completed_at, requested_at) FROM tollgate.refunds
      WHERE workspace_id = :workspaceId AND environment = :environment AND returned_settlement_id = :settlementId
     ORDER BY at, id LIMIT :limit`,
    { ...scope, settlementId, limit },
  );
  return rows.map(toLine);
}

function toLine(row: Omit<SettlementLine, 'amount'> & { amount: string }): SettlementLine {
  return { ...row, amount: BigInt(row.amount) };
}
