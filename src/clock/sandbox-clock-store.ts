import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/scope';

/** How far a workspace's sandbox is ahead of real time, in milliseconds; 0 in production and before any advance. */
export async function readClockOffset(trx: DbTransaction, scope: WorkspaceScope): Promise<number> {
  if (scope.environment === 'production') return 0;
  const row = await trx('tollgate.sandbox_clocks')
    .where(tenantColumns(scope))
    .first<{ offset_ms: string } | undefined>('offset_ms');
  return row === undefined ? 0 : Number(row.offset_ms);
}

/** The offset, locked until the transaction ends, so that two advances follow each other. */
export async function lockClockOffset(
  trx: DbTransaction,
  scope: WorkspaceScope,
  now: Instant,
): Promise<number> {
  await trx('tollgate.sandbox_clocks')
    .insert({
      ...tenantColumns(scope),
      offset_ms: 0,
      updated_at: new Date(now),
    })
    .onConflict(['workspace_id', 'environment'])
    .ignore();
  const row = await trx('tollgate.sandbox_clocks')
    .where(tenantColumns(scope))
    .forUpdate()
    .first<{ offset_ms: string } | undefined>('offset_ms');
  return Number(row?.offset_ms ?? 0);
}

export async function updateClockOffset(
  trx: DbTransaction,
  scope: WorkspaceScope,
  offsetMs: number,
  now: Instant,
): Promise<void> {
  await trx('tollgate.sandbox_clocks')
    .where(tenantColumns(scope))
    .update({ offset_ms: offsetMs, updated_at: new Date(now) });
}

/**
 * The earliest wake of a subscription after an instant, or null when none will wake. What is past due at a payment
 * provider also wakes to be read there, which is no boundary, and is left out.
 */
export async function findNextWake(
  trx: DbTransaction,
  scope: WorkspaceScope,
  after: Instant,
): Promise<Instant | null> {
  const row = await trx('tollgate.subscriptions')
    .where(tenantColumns(scope))
    .where('next_wake_at', '>', new Date(after))
    .whereRaw("NOT (status = 'past_due' AND provider <> 'internal')")
    .orderBy('next_wake_at')
    .first<{ next_wake_at: Instant } | undefined>('next_wake_at');
  return row?.next_wake_at ?? null;
}
