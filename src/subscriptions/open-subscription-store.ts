import { dateOrNull } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { OpenedSubscription } from '../domain/subscription';
import { OPEN_SUBSCRIPTION_STATUSES } from '../domain/subscription-types';
import type { TaxSnapshot } from '../domain/tax';
import type { Metadata } from '../schemas/metadata';
import type { WorkspaceScope } from '../tenancy/actor';
import type { Provider } from '../domain/provider';

/** A subscription to be opened, or to wait for the payment of its checkout. */
export interface NewSubscription extends Omit<OpenedSubscription, 'status'> {
  id: string;
  customerId: string;
  provider: Provider;
  status: OpenedSubscription['status'] | 'incomplete';
  /** The tax of the first period. */
  tax: TaxSnapshot;
  /** When its first transaction makes it past due; null when nothing is open. */
  paymentDueAt: Instant | null;
  /** Null unless `incomplete`. */
  incompleteUntil: Instant | null;
  metadata: Metadata;
  /** When its lifecycle next has something to do. */
  nextWakeAt: Instant | null;
  createdAt: Instant;
}

/**
 * Opens the subscription unless the customer has an open one in the plan group. A concurrent insert waits for this one,
 * so that one of them sees the other. An incomplete subscription is not open and may exist alongside any other.
 *
 * @returns false if there already is an open one
 */
export async function insertOpenSubscription(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: NewSubscription,
): Promise<boolean> {
  const inserted = await trx('tollgate.subscriptions')
    .insert({
      ...tenantColumns(scope),
      id: subscription.id,
      customer_id: subscription.customerId,
      plan_group_id: subscription.planGroupId,
      plan_id: subscription.planId,
      provider: subscription.provider,
      status: subscription.status,
      seats: subscription.seats,
      unit_amount: subscription.unitAmount.toString(),
      currency: subscription.currency,
      billing_interval: subscription.interval,
      pricing: subscription.pricing,
      tax: JSON.stringify(subscription.tax),
      time_zone: subscription.timeZone,
      started_at: new Date(subscription.startedAt),
      billing_anchor: new Date(subscription.billingAnchor),
      trial_end: dateOrNull(subscription.trialEnd),
      current_period_start: new Date(subscription.currentPeriodStart),
      current_period_end: new Date(subscription.currentPeriodEnd),
      payment_due_at: dateOrNull(subscription.paymentDueAt),
      incomplete_until: dateOrNull(subscription.incompleteUntil),
      metadata: JSON.stringify(subscription.metadata),
      next_wake_at: dateOrNull(subscription.nextWakeAt),
      created_at: new Date(subscription.createdAt),
      updated_at: new Date(subscription.createdAt),
    })
    .onConflict(
      trx.raw(
        "(workspace_id, environment, customer_id, plan_group_id) WHERE status IN ('trialing', 'active', 'past_due')",
      ),
    )
    .ignore()
    .returning<{ id: string }[]>('id');
  return inserted.length > 0;
}

/** Finds the customer's open subscription in the plan group. */
export async function findOpenSubscription(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
  planGroupId: string,
): Promise<{ id: string } | undefined> {
  return trx('tollgate.subscriptions')
    .where({
      ...tenantColumns(scope),
      customer_id: customerId,
      plan_group_id: planGroupId,
    })
    .whereIn('status', OPEN_SUBSCRIPTION_STATUSES)
    .first<{ id: string } | undefined>('id');
}

/** Returns the ids of the customer's subscriptions in the plan group that wait for the payment of a checkout. */
export async function findIncompleteSubscriptions(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
  planGroupId: string,
): Promise<string[]> {
  const rows = await trx('tollgate.subscriptions')
    .where({
      ...tenantColumns(scope),
      customer_id: customerId,
      plan_group_id: planGroupId,
      status: 'incomplete',
    })
    .orderBy('id')
    .select<{ id: string }[]>('id');
  return rows.map(({ id }) => id);
}
