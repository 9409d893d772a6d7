import type { Transaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { LifecycleView } from '../domain/lifecycle';
import type { Provider } from '../domain/subscription';
import type { WorkspaceScope } from '../tenancy/scope';

/** What turning a period needs of the row, its plan and its customer. */
export interface TurningRow extends LifecycleView {
  id: string;
  customerId: string;
  externalId: string;
  planId: string;
  planSlug: string;
  /** The plan's price as it is now: minor units as text. */
  planPriceAmount: string;
  provider: Provider;
  seats: number;
  /** The price of the current period: minor units as text. */
  unitAmount: string;
}

const COLUMNS = {
  id: 's.id',
  customerId: 's.customer_id',
  externalId: 'c.external_id',
  planId: 's.plan_id',
  planSlug: 'p.slug',
  planPriceAmount: 'p.price_amount',
  provider: 's.provider',
  status: 's.status',
  seats: 's.seats',
  unitAmount: 's.unit_amount',
  interval: 's.billing_interval',
  timeZone: 's.time_zone',
  billingAnchor: 's.billing_anchor',
  trialEnd: 's.trial_end',
  currentPeriodStart: 's.current_period_start',
  currentPeriodEnd: 's.current_period_end',
};

/** @param lock keeps the row for this transaction, so that two steps of one subscription follow each other */
export async function findTurningRow(
  trx: Transaction,
  scope: WorkspaceScope,
  id: string,
  lock: 'lock' | 'read',
): Promise<TurningRow | undefined> {
  const ofTenant = (alias: string) => ({
    [`${alias}.workspace_id`]: scope.workspaceId,
    [`${alias}.environment`]: scope.environment,
  });
  const query = trx({ s: 'tollgate.subscriptions' })
    .join({ c: 'tollgate.customers' }, 'c.id', 's.customer_id')
    .join({ p: 'tollgate.plans' }, 'p.id', 's.plan_id')
    .where(ofTenant('s'))
    .where(ofTenant('c'))
    .where(ofTenant('p'))
    .where('s.id', id);
  if (lock === 'lock') void query.forUpdate('s');
  return query.first<TurningRow | undefined>(COLUMNS);
}

/** The row after a step; its version goes up by one. */
export async function updateTurnedRow(
  trx: Transaction,
  scope: WorkspaceScope,
  row: TurningRow,
  change: { nextWakeAt: Instant | null; updatedAt: Instant },
): Promise<void> {
  await trx('tollgate.subscriptions')
    .where({ workspace_id: scope.workspaceId, environment: scope.environment, id: row.id })
    .update({
      status: row.status,
      unit_amount: row.unitAmount,
      current_period_start: new Date(row.currentPeriodStart),
      current_period_end: new Date(row.currentPeriodEnd),
      next_wake_at: change.nextWakeAt === null ? null : new Date(change.nextWakeAt),
      updated_at: new Date(change.updatedAt),
      version: trx.raw('version + 1'),
    });
}
