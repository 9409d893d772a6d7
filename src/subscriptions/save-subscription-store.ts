import { together, type Call } from '../db/calls';
import { dateOrNull } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import { updateCall } from '../db/write-calls';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { wakeAt } from '../domain/lifecycle';
import type { WorkspaceScope } from '../tenancy/actor';
import type { BilledSubscription } from './billed-subscription';
import { metadataColumn, providerWorkColumn } from './provider-work-columns';

/**
 * Saves a changed subscription and increments the row's version. The caller holds the row's lock.
 *
 * @param now the workspace's time
 * @returns the row as stored
 */
export async function saveBilledSubscription(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  now: Instant,
): Promise<BilledSubscription> {
  await together(trx, [saveSubscriptionCall(scope, subscription, now)]);
  return asSaved(subscription);
}

/** Returns the row as {@link saveSubscriptionCall} stores it. */
export function asSaved(subscription: BilledSubscription): BilledSubscription {
  return { ...subscription, nextWakeAt: wakeAt(subscription), version: subscription.version + 1n };
}

/** Reports a refusal, not a failed statement, if another transaction has written the row in the meantime. */
export function saveSubscriptionCall(
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  now: Instant,
): Call<void> {
  const { scheduled } = subscription;
  const call = updateCall('save_subscription', 'tollgate.subscriptions', {
    where: { ...tenantColumns(scope), id: subscription.id, version: subscription.version },
    set: {
      plan_id: subscription.planId,
      status: subscription.status,
      seats: subscription.seats,
      unit_amount: subscription.unitAmount,
      billing_interval: subscription.interval,
      pricing: subscription.pricing,
      tax: JSON.stringify(subscription.tax),
      time_zone: subscription.timeZone,
      started_at: new Date(subscription.startedAt),
      billing_anchor: new Date(subscription.billingAnchor),
      trial_end: dateOrNull(subscription.trialEnd),
      current_period_start: new Date(subscription.currentPeriodStart),
      current_period_end: new Date(subscription.currentPeriodEnd),
      cancel_at_period_end: subscription.cancelAtPeriodEnd,
      cancel_at: dateOrNull(subscription.cancelAt),
      cancelled_at: dateOrNull(subscription.cancelledAt),
      past_due_since: dateOrNull(subscription.pastDueSince),
      unpaid_since: dateOrNull(subscription.unpaidSince ?? null),
      payment_due_at: dateOrNull(subscription.paymentDueAt),
      incomplete_until: dateOrNull(subscription.incompleteUntil),
      scheduled_plan_id: scheduled?.planId ?? null,
      scheduled_seats: scheduled?.seats ?? null,
      scheduled_requested_at: dateOrNull(scheduled?.requestedAt ?? null),
      metadata: JSON.stringify(metadataColumn(subscription.metadata, subscription.work.sync)),
      provider_work: subscription.provider === 'internal' ? null : providerWorkColumn(subscription.work),
      next_wake_at: dateOrNull(wakeAt(subscription)),
      updated_at: new Date(now),
    },
    more: ['version = version + 1'],
  });
  return {
    ...call,
    read: (rows) => {
      if (call.read(rows)) return;
      throw new TollgateError('service_busy', 'The subscription was changed by another request.', {
        retryAfter: 1,
      });
    },
  };
}
