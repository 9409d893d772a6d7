import type { Transaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { BillingInterval, Pricing, Provider, SubscriptionStatus } from '../domain/subscription';
import type { Metadata } from '../schemas/metadata';
import type { WorkspaceScope } from '../tenancy/scope';

/** A subscription with the names of its customer and plan. */
export interface SubscriptionRow {
  id: string;
  customerId: string;
  externalId: string;
  planGroupId: string;
  planId: string;
  planSlug: string;
  planName: string;
  provider: Provider;
  status: SubscriptionStatus;
  seats: number;
  /** Minor units for one interval (and one seat), as text. */
  unitAmount: string;
  currency: string;
  interval: BillingInterval;
  pricing: Pricing;
  timeZone: string;
  startedAt: Instant;
  billingAnchor: Instant;
  trialEnd: Instant | null;
  currentPeriodStart: Instant;
  currentPeriodEnd: Instant;
  cancelAtPeriodEnd: boolean;
  cancelledAt: Instant | null;
  scheduledChange: Record<string, unknown> | null;
  metadata: Metadata;
  /** A bigint as text. */
  version: string;
  createdAt: Instant;
  updatedAt: Instant;
}

const COLUMNS = {
  id: 's.id',
  customerId: 's.customer_id',
  externalId: 'c.external_id',
  planGroupId: 's.plan_group_id',
  planId: 's.plan_id',
  planSlug: 'p.slug',
  planName: 'p.name',
  provider: 's.provider',
  status: 's.status',
  seats: 's.seats',
  unitAmount: 's.unit_amount',
  currency: 's.currency',
  interval: 's.billing_interval',
  pricing: 's.pricing',
  timeZone: 's.time_zone',
  startedAt: 's.started_at',
  billingAnchor: 's.billing_anchor',
  trialEnd: 's.trial_end',
  currentPeriodStart: 's.current_period_start',
  currentPeriodEnd: 's.current_period_end',
  cancelAtPeriodEnd: 's.cancel_at_period_end',
  cancelledAt: 's.cancelled_at',
  scheduledChange: 's.scheduled_change',
  metadata: 's.metadata',
  version: 's.version',
  createdAt: 's.created_at',
  updatedAt: 's.updated_at',
};

export interface SubscriptionFilter {
  status?: SubscriptionStatus;
  customerId?: string;
  planId?: string;
}

/**
 * Newest first, by creation and then id.
 *
 * @param page `before` is the creation and id of the last row of the page before
 */
export async function listSubscriptions(
  trx: Transaction,
  scope: WorkspaceScope,
  page: SubscriptionFilter & { limit: number; before?: { createdAt: Instant; id: string } },
): Promise<SubscriptionRow[]> {
  const query = subscriptions(trx, scope)
    .orderBy([
      { column: 's.created_at', order: 'desc' },
      { column: 's.id', order: 'desc' },
    ])
    .limit(page.limit)
    .select<SubscriptionRow[]>(COLUMNS);
  const { status, customerId, planId, before } = page;
  if (status !== undefined) void query.where('s.status', status);
  if (customerId !== undefined) void query.where('s.customer_id', customerId);
  if (planId !== undefined) void query.where('s.plan_id', planId);
  if (before !== undefined) {
    // Two conditions rather than a row comparison, which row-level security keeps from the index.
    const createdAt = new Date(before.createdAt);
    void query.where('s.created_at', '<=', createdAt).where((older) => {
      void older.where('s.created_at', '<', createdAt).orWhere('s.id', '<', before.id);
    });
  }
  return query;
}

export async function findSubscription(
  trx: Transaction,
  scope: WorkspaceScope,
  id: string,
): Promise<SubscriptionRow | undefined> {
  return subscriptions(trx, scope).where('s.id', id).first<SubscriptionRow | undefined>(COLUMNS);
}

function subscriptions(trx: Transaction, scope: WorkspaceScope) {
  const ofTenant = (alias: string) => ({
    [`${alias}.workspace_id`]: scope.workspaceId,
    [`${alias}.environment`]: scope.environment,
  });
  return trx({ s: 'tollgate.subscriptions' })
    .join({ c: 'tollgate.customers' }, 'c.id', 's.customer_id')
    .join({ p: 'tollgate.plans' }, 'p.id', 's.plan_id')
    .where(ofTenant('s'))
    .where(ofTenant('c'))
    .where(ofTenant('p'));
}
