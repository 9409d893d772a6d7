import type { Transaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { LifecycleView } from '../domain/lifecycle';
import type { WorkspaceScope } from '../tenancy/scope';

/** How far a workspace's sandbox is ahead of real time, in milliseconds; 0 in production and before any advance. */
export async function readClockOffset(trx: Transaction, scope: WorkspaceScope): Promise<number> {
  if (scope.environment === 'production') return 0;
  const row = await trx('tollgate.sandbox_clocks')
    .where({ workspace_id: scope.workspaceId, environment: scope.environment })
    .first<{ offset_ms: string } | undefined>('offset_ms');
  return row === undefined ? 0 : Number(row.offset_ms);
}

/** The offset, locked until the transaction ends, so that two advances follow each other. */
export async function lockClockOffset(
  trx: Transaction,
  scope: WorkspaceScope,
  now: Instant,
): Promise<number> {
  await trx('tollgate.sandbox_clocks')
    .insert({
      workspace_id: scope.workspaceId,
      environment: scope.environment,
      offset_ms: 0,
      updated_at: new Date(now),
    })
    .onConflict(['workspace_id', 'environment'])
    .ignore();
  const row = await trx('tollgate.sandbox_clocks')
    .where({ workspace_id: scope.workspaceId, environment: scope.environment })
    .forUpdate()
    .first<{ offset_ms: string } | undefined>('offset_ms');
  return Number(row?.offset_ms ?? 0);
}

export async function updateClockOffset(
  trx: Transaction,
  scope: WorkspaceScope,
  offsetMs: number,
  now: Instant,
): Promise<void> {
  await trx('tollgate.sandbox_clocks')
    .where({ workspace_id: scope.workspaceId, environment: scope.environment })
    .update({ offset_ms: offsetMs, updated_at: new Date(now) });
}

/** What the boundaries of one subscription are computed from. */
export interface BoundedSubscription extends LifecycleView {
  id: string;
}

/**
 * Open subscriptions whose stored period ends at or before an instant, the earliest first.
 *
 * @param most how many at most
 */
export async function findSubscriptionsEndingBy(
  trx: Transaction,
  scope: WorkspaceScope,
  instant: Instant,
  most: number,
): Promise<BoundedSubscription[]> {
  return openSubscriptions(trx, scope)
    .where('current_period_end', '<=', new Date(instant))
    .orderBy('current_period_end')
    .orderBy('id')
    .limit(most)
    .select<BoundedSubscription[]>(COLUMNS);
}

/** The earliest end of a stored period after an instant, or null when no open subscription has one. */
export async function findNextPeriodEnd(
  trx: Transaction,
  scope: WorkspaceScope,
  after: Instant,
): Promise<Instant | null> {
  const row = await openSubscriptions(trx, scope)
    .where('current_period_end', '>', new Date(after))
    .orderBy('current_period_end')
    .first<{ current_period_end: Instant } | undefined>('current_period_end');
  return row?.current_period_end ?? null;
}

const COLUMNS = {
  id: 'id',
  status: 'status',
  billingAnchor: 'billing_anchor',
  timeZone: 'time_zone',
  interval: 'billing_interval',
  currentPeriodStart: 'current_period_start',
  currentPeriodEnd: 'current_period_end',
  trialEnd: 'trial_end',
};

function openSubscriptions(trx: Transaction, scope: WorkspaceScope) {
  return trx('tollgate.subscriptions')
    .where({ workspace_id: scope.workspaceId, environment: scope.environment })
    .whereIn('status', ['trialing', 'active', 'past_due']);
}
