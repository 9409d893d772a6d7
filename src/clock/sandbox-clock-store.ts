import { clockLock } from '../db/advisory-locks';
import { together, type Call } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** How far a workspace's sandbox is ahead of real time, in milliseconds; 0 in production and before any advance. */
export async function readClockOffset(trx: DbTransaction, scope: WorkspaceScope): Promise<number> {
  if (scope.environment === 'production') return 0;
  const [offset] = await together(trx, [clockOffsetCall(scope)]);
  return offset;
}

/** The same as a call, for a sandbox. */
export function clockOffsetCall({ workspaceId, environment }: WorkspaceScope): Call<number> {
  return {
    name: 'clock_offset',
    text: 'SELECT offset_ms FROM tollgate.sandbox_clocks WHERE workspace_id = $1 AND environment = $2',
    values: [workspaceId, environment],
    read: ([row]) => Number(row?.['offset_ms'] ?? 0),
  };
}

/**
 * The same for a workflow's timer, and no advance until the transaction ends. So an advance either stands in the answer,
 * or finds the row as this transaction leaves it. Lock order: last.
 */
export async function holdClockOffset(trx: DbTransaction, scope: WorkspaceScope): Promise<number> {
  if (scope.environment === 'production') return 0;
  return heldOffset(await together(trx, holdClockCalls(scope)));
}

/** The same as calls, whose results {@link heldOffset} reads. */
export function holdClockCalls(scope: WorkspaceScope): Call<number | undefined>[] {
  const { workspaceId, environment } = scope;
  if (environment === 'production') return [];
  const lock = {
    name: 'hold_clock',
    text: `SELECT pg_advisory_xact_lock_shared(${clockLock('$1::text', '$2::text')})`,
    values: [workspaceId, environment],
    read: () => undefined,
  };
  // A statement of its own: it sees the advance that the lock has waited for.
  return [lock, clockOffsetCall(scope)];
}

export function heldOffset(results: readonly (number | undefined)[]): number {
  return results.at(-1) ?? 0;
}

/** The offset, locked until the transaction ends, so that two advances follow each other. */
export async function lockClockOffset(
  trx: DbTransaction,
  scope: WorkspaceScope,
  now: Instant,
): Promise<number> {
  await trx.raw(`SELECT pg_advisory_xact_lock(${clockLock('?::text', '?::text')})`, [
    scope.workspaceId,
    scope.environment,
  ]);
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
