import { newestFirst } from '../db/newest-first';
import type { Transaction } from '../db/pools';
import { plainArray } from '../db/array-literal';
import type { Instant } from '../domain/instant';
import type { SettlementTotals } from '../domain/settlement';
import type { Provider } from '../domain/subscription-types';
import type { CreationPosition } from '../pagination/page-by-creation';
import type { WorkspaceScope } from '../tenancy/scope';

/** The amounts of one currency that a period's payments and refunds come to; minor units. */
export interface SettlementRow extends SettlementTotals {
  id: string;
  provider: Provider;
  currency: string;
  periodStart: Instant;
  periodEnd: Instant;
  createdAt: Instant;
}

/** A payment or a refund that a settlement counts. */
export interface SettlementLine {
  kind: 'payment' | 'refund';
  id: string;
  /** Minor units. */
  amount: bigint;
  /** When the payment was received, or the refund completed. */
  at: Instant;
}

export interface SettlementFilter {
  provider?: Provider;
  currency?: string;
}

type Amount = 'paid' | 'refunded' | 'fees' | 'net';
type StoredRow = Omit<SettlementRow, Amount> & Record<Amount, string>;

const COLUMNS = {
  id: 'id',
  provider: 'provider',
  currency: 'currency',
  periodStart: 'period_start',
  periodEnd: 'period_end',
  paid: 'paid',
  refunded: 'refunded',
  fees: 'fees',
  net: 'net',
  createdAt: 'created_at',
};

/** A settlement of the provider and currency that has an instant of the period in common; the earliest. */
export async function findOverlapping(
  trx: Transaction,
  scope: WorkspaceScope,
  { provider, currency, periodStart, periodEnd }: Omit<SettlementRow, 'id' | 'createdAt' | Amount>,
): Promise<SettlementRow | undefined> {
  const row = await settlements(trx, scope)
    .where({ provider, currency })
    .where('period_start', '<', new Date(periodEnd))
    .where('period_end', '>', new Date(periodStart))
    .orderBy('period_start')
    .first<StoredRow | undefined>(COLUMNS);
  return row === undefined ? undefined : toSettlement(row);
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

/** What is still to be settled of a provider and currency, up to the end of a period; locked, in no order. */
export async function lockUnsettled(
  trx: Transaction,
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

/** Stores a settlement, and on each of its lines that it is settled. */
export async function insertSettlement(
  trx: Transaction,
  scope: WorkspaceScope,
  row: SettlementRow,
  lines: readonly SettlementLine[],
): Promise<void> {
  await trx('tollgate.settlements').insert({
    workspace_id: scope.workspaceId,
    environment: scope.environment,
    id: row.id,
    provider: row.provider,
    currency: row.currency,
    period_start: new Date(row.periodStart),
    period_end: new Date(row.periodEnd),
    paid: row.paid.toString(),
    refunded: row.refunded.toString(),
    fees: row.fees.toString(),
    net: row.net.toString(),
    created_at: new Date(row.createdAt),
  });
  const idsOf = (kind: SettlementLine['kind']) =>
    plainArray(lines.filter((line) => line.kind === kind).map(({ id }) => id));
  for (const [table, ids] of [
    ['payments', idsOf('payment')],
    ['refunds', idsOf('refund')],
  ] as const) {
    await trx.raw(
      `UPDATE tollgate.${table} SET settlement_id = :id
        WHERE workspace_id = :workspaceId AND environment = :environment AND id = ANY (:ids::text[])`,
      { ...scope, id: row.id, ids },
    );
  }
}

export async function findSettlement(
  trx: Transaction,
  scope: WorkspaceScope,
  id: string,
): Promise<SettlementRow | undefined> {
  const row = await settlements(trx, scope).where({ id }).first<StoredRow | undefined>(COLUMNS);
  return row === undefined ? undefined : toSettlement(row);
}

/** Newest first, by creation and then id. */
export async function listSettlements(
  trx: Transaction,
  scope: WorkspaceScope,
  page: SettlementFilter & { limit: number; before?: CreationPosition },
): Promise<SettlementRow[]> {
  const query = settlements(trx, scope).select<StoredRow[]>(COLUMNS);
  const { provider, currency } = page;
  if (provider !== undefined) void query.where({ provider });
  if (currency !== undefined) void query.where({ currency });
  newestFirst(query, 's', page);
  return (await query).map(toSettlement);
}

/** What a settlement counts, the earliest first. */
export async function listSettlementLines(
  trx: Transaction,
  scope: WorkspaceScope,
  settlementId: string,
  limit: number,
): Promise<SettlementLine[]> {
  const { rows } = await trx.raw<{ rows: (Omit<SettlementLine, 'amount'> & { amount: string })[] }>(
    `SELECT 'payment' AS kind, id, amount, received_at AS at FROM tollgate.payments
      WHERE workspace_id = :workspaceId AND environment = :environment AND settlement_id = :settlementId
     UNION ALL
     SELECT 'refund', id, amount, completed_at FROM tollgate.refunds
      WHERE workspace_id = :workspaceId AND environment = :environment AND settlement_id = :settlementId
     ORDER BY at, id LIMIT :limit`,
    { ...scope, settlementId, limit },
  );
  return rows.map(toLine);
}

function settlements(trx: Transaction, { workspaceId, environment }: WorkspaceScope) {
  return trx({ s: 'tollgate.settlements' }).where({ workspace_id: workspaceId, environment });
}

function toSettlement(row: StoredRow): SettlementRow {
  return {
    ...row,
    paid: BigInt(row.paid),
    refunded: BigInt(row.refunded),
    fees: BigInt(row.fees),
    net: BigInt(row.net),
  };
}

function toLine(row: Omit<SettlementLine, 'amount'> & { amount: string }): SettlementLine {
  return { ...row, amount: BigInt(row.amount) };
}
