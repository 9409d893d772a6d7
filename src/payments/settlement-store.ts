import { newestFirst } from '../db/newest-first';
import { providerTime } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { SettlementTotals } from '../domain/settlement';
import type { CreationPart } from '../pagination/page-by-creation';
import type { WorkspaceScope } from '../tenancy/actor';
import type { Provider } from '../domain/provider';
import type { ConnectionRef } from '../connections/connection-ref';

export const SETTLEMENT_STATUSES = ['settled', 'failed'] as const;

/** The totals of one currency from a period's payments and refunds; minor units. */
export interface SettlementRow extends SettlementTotals {
  id: string;
  provider: Provider;
  currency: string;
  periodStart: Instant;
  periodEnd: Instant;
  /** A provider's settlement that came back is `failed` and counts nothing. */
  status: (typeof SETTLEMENT_STATUSES)[number];
  /** For a provider's settlement: its account's connection and its reference at the provider. */
  connectionId: string | null;
  reference: string | null;
  /** The part of a provider's `net` that nothing here explains; `net = paid − refunded − fees + unmatched`. */
  unmatched: bigint;
  /** Describes that part in words. */
  difference: string | null;
  createdAt: Instant;
}

export interface SettlementFilter {
  provider?: Provider;
  currency?: string;
  connectionId?: string;
  status?: SettlementRow['status'];
}

type Amount = 'paid' | 'refunded' | 'fees' | 'net' | 'unmatched';
type StoredRow = Omit<SettlementRow, Amount> & Record<Amount, string>;

const COLUMNS = {
  id: 'id',
  provider: 'provider',
  currency: 'currency',
  periodStart: 'period_start',
  periodEnd: 'period_end',
  status: 'status',
  connectionId: 'connection_id',
  reference: 'reference',
  paid: 'paid',
  refunded: 'refunded',
  fees: 'fees',
  net: 'net',
  unmatched: 'unmatched',
  difference: 'difference',
  createdAt: 'created_at',
} satisfies Partial<Record<keyof SettlementRow, string>>;

/** Finds the earliest settlement of the provider and currency that overlaps the period. */
export async function findOverlapping(
  trx: DbTransaction,
  scope: WorkspaceScope,
  {
    provider,
    currency,
    periodStart,
    periodEnd,
  }: Pick<SettlementRow, 'provider' | 'currency' | 'periodStart' | 'periodEnd'>,
): Promise<SettlementRow | undefined> {
  const row = await settlements(trx, scope)
    .where({ provider, currency })
    .where('period_start', '<', new Date(periodEnd))
    .where('period_end', '>', new Date(periodStart))
    .orderBy('period_start')
    .first<StoredRow | undefined>(COLUMNS);
  return row === undefined ? undefined : toSettlement(row);
}

/** @returns false when the provider's settlement of this reference already exists; it is then committed */
export async function insertSettlement(
  trx: DbTransaction,
  scope: WorkspaceScope,
  row: SettlementRow,
): Promise<boolean> {
  const inserted = await trx('tollgate.settlements')
    .insert({
      ...tenantColumns(scope),
      id: row.id,
      provider: row.provider,
      connection_id: row.connectionId,
      reference: row.reference,
      created_at: new Date(row.createdAt),
      ...changeable(row),
    })
    .onConflict(trx.raw('(workspace_id, environment, connection_id, reference) WHERE reference IS NOT NULL'))
    .ignore()
    .returning('id');
  return inserted.length === 1;
}

/** Saves the provider's current state of its settlement, whose row the caller has locked. */
export async function saveSettlement(
  trx: DbTransaction,
  scope: WorkspaceScope,
  row: SettlementRow,
): Promise<void> {
  await settlements(trx, scope).where({ id: row.id }).update(changeable(row));
}

function changeable(row: SettlementRow) {
  return {
    currency: row.currency,
    period_start: providerTime(row.periodStart),
    period_end: providerTime(row.periodEnd),
    status: row.status,
    paid: row.paid.toString(),
    refunded: row.refunded.toString(),
    fees: row.fees.toString(),
    net: row.net.toString(),
    unmatched: row.unmatched.toString(),
    difference: row.difference,
  };
}

/** @param lock locks the row for this transaction */
export async function findSettlement(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { id }: { id: string },
  lock: 'lock' | 'read',
): Promise<SettlementRow | undefined> {
  const query = settlements(trx, scope).where({ id });
  if (lock === 'lock') void query.forUpdate();
  const row = await query.first<StoredRow | undefined>(COLUMNS);
  return row === undefined ? undefined : toSettlement(row);
}

/** Finds the provider's settlements of these references, those of the connection first. */
export async function findReferenced(
  trx: DbTransaction,
  { scope, provider, id: connectionId }: ConnectionRef,
  references: readonly string[],
): Promise<SettlementRow[]> {
  const rows = await settlements(trx, scope)
    .whereIn(
      'connection_id',
      trx('tollgate.provider_connections')
        .where({ ...tenantColumns(scope), provider })
        .select('id'),
    )
    .whereIn('reference', references)
    .orderByRaw('connection_id = ? DESC, created_at, id', [connectionId])
    .select<StoredRow[]>(COLUMNS);
  return rows.map(toSettlement);
}

/** Returns when the last known settlement of a connection ends. */
export async function lastSettledAt(
  trx: DbTransaction,
  scope: WorkspaceScope,
  connectionId: string,
): Promise<Instant | null> {
  const row = await settlements(trx, scope)
    .where({ connection_id: connectionId })
    .orderBy('period_end', 'desc')
    .first<{ end: Instant } | undefined>({ end: 'period_end' });
  return row?.end ?? null;
}

/** Lists settlements, newest first, by creation and then id. */
export async function listSettlements(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: SettlementFilter & CreationPart,
): Promise<SettlementRow[]> {
  const query = settlements(trx, scope).select<StoredRow[]>(COLUMNS);
  const { provider, currency, connectionId, status } = page;
  if (provider !== undefined) void query.where({ provider });
  if (currency !== undefined) void query.where({ currency });
  if (connectionId !== undefined) void query.where({ connection_id: connectionId });
  if (status !== undefined) void query.where({ status });
  newestFirst(query, 's', page);
  return (await query).map(toSettlement);
}

function settlements(trx: DbTransaction, scope: WorkspaceScope) {
  return trx({ s: 'tollgate.settlements' }).where(tenantColumns(scope));
}

function toSettlement(row: StoredRow): SettlementRow {
  return {
    ...row,
    paid: BigInt(row.paid),
    refunded: BigInt(row.refunded),
    fees: BigInt(row.fees),
    net: BigInt(row.net),
    unmatched: BigInt(row.unmatched),
  };
}
