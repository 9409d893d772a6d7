import { clockLock } from '../db/advisory-locks';
import { together, type Call } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * Returns how far a workspace's sandbox is ahead of real time, in milliseconds; 0 in production and before any advance.
 */
export async function readClockOffset(trx: DbTransaction, scope: WorkspaceScope): Promise<number> {
  if (scope.environment === 'production') return 0;
  const [offset] = await together(trx, [clockOffsetCall(scope)]);
  return offset;
}

/** Returns the workspace's time at an instant of real time. */
export async function workspaceTime(
  trx: DbTransaction,
  scope: WorkspaceScope,
  realTime: Instant,
): Promise<Instant> {
  return realTime + (await readClockOffset(trx, scope));
}

/** Builds the call of `readClockOffset`, for a sandbox. */
export function clockOffsetCall({ workspaceId, environment }: WorkspaceScope): Call<number> {
  return {
    name: 'clock_offset',
    text: 'SELECT offset_ms FROM tollgate.sandbox_clocks WHERE workspace_id = $1 AND environment = $2',
    values: [workspaceId, environment],
    read: ([row]) => Number(row?.['offset_ms'] ?? 0),
  };
}

/**
 * Reads the clock's offset (milliseconds) for a workflow's timer, and blocks advances until the transaction ends. An
 * advance is therefore either included in the result, or sees the row as this transaction leaves it. Lock order: last.
 */
export async function holdClockOffset(trx: DbTransaction, scope: WorkspaceScope): Promise<number> {
  if (scope.environment === 'production') return 0;
  return heldOffset(await together(trx, holdClockCalls(scope)));
}

/** Builds the calls of `holdClockOffset`, whose results {@link heldOffset} reads. */
export function holdClockCalls(scope: WorkspaceScope): Call<number | undefined>[] {
  const { workspaceId, environment } = scope;
  if (environment === 'production') return [];
  const lock = {
    name: 'hold_clock',
    text: `SELECT pg_advisory_xact_lock_shared(${clockLock('$1::text', '$2::text')})`,
    values: [workspaceId, environment],
    read: () => undefined,
  };
  // A separate statement, so that it sees an advance that the lock waited for.
  return [lock, clockOffsetCall(scope)];
}

export function heldOffset(results: readonly (number | undefined)[]): number {
  return results.at(-1) ?? 0;
}

/** Reads the offset and locks it until the transaction ends, so that advances run one at a time. */
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
 * Returns the earliest wake of a subscription after an instant, or null if none will wake. A past-due subscription at a
 * payment provider also wakes to be read there; that is not a boundary, and is left out.
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
