import { countryOf } from '../customers/customer-store';
import type { DbTransaction } from '../db/pools';
import { dateOrNull } from '../db/parameters';
import { tenantColumns } from '../db/tenant-columns';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { wakeAt } from '../domain/lifecycle';
import type { BillingInterval, Pricing } from '../domain/subscription-types';
import type { Metadata } from '../schemas/metadata';
import type { WorkspaceScope } from '../tenancy/scope';
import type { BilledSubscription, ScheduledChange } from './billed-subscription';
import { metadataColumn, providerWorkColumn, readProviderWork } from './provider-work-columns';
import type { Provider } from '../domain/provider';

/** A row of `BILLED_COLUMNS`: money as text, the scheduled change column by column. */
export type BilledRow = Omit<
  BilledSubscription,
  | 'customerCountry'
  | 'unitAmount'
  | 'planUnitAmount'
  | 'scheduled'
  | 'version'
  | 'scheduledInterval'
  | 'nextPeriodIsFree'
  | 'work'
> & {
  providerWork: unknown;
  customerMetadata: Metadata;
  unitAmount: string;
  planUnitAmount: string;
  version: string;
  scheduledPlanId: string | null;
  scheduledPlanSlug: string | null;
  scheduledSeats: number | null;
  scheduledUnitAmount: string | null;
  scheduledPricing: Pricing | null;
  scheduledPlanInterval: BillingInterval | null;
  scheduledRequestedAt: Instant | null;
};

/** What billing reads of a subscription, from `BILLED_TABLES`. */
export const BILLED_COLUMNS = `
       s.id, s.customer_id AS "customerId", c.external_id AS "externalId", s.plan_group_id AS "planGroupId",
       c.metadata AS "customerMetadata",
       s.plan_id AS "planId", p.slug AS "planSlug", s.provider, s.status, s.seats, s.unit_amount AS "unitAmount",
       s.currency, s.billing_interval AS interval, s.pricing, p.price_amount AS "planUnitAmount", s.tax,
       s.time_zone AS "timeZone", s.started_at AS "startedAt", s.billing_anchor AS "billingAnchor",
       s.trial_end AS "trialEnd", s.current_period_start AS "currentPeriodStart",
       s.current_period_end AS "currentPeriodEnd", s.cancel_at_period_end AS "cancelAtPeriodEnd",
       s.cancel_at AS "cancelAt",
       s.cancelled_at AS "cancelledAt", s.past_due_since AS "pastDueSince", s.payment_due_at AS "paymentDueAt",
       s.incomplete_until AS "incompleteUntil", s.metadata, s.version,
       s.next_wake_at AS "nextWakeAt",
       s.scheduled_plan_id AS "scheduledPlanId", n.slug AS "scheduledPlanSlug", s.scheduled_seats AS "scheduledSeats",
       n.price_amount AS "scheduledUnitAmount", n.pricing AS "scheduledPricing",
       n.billing_interval AS "scheduledPlanInterval", s.scheduled_requested_at AS "scheduledRequestedAt",
       w.past_due_after_days AS "pastDueAfterDays", w.expire_after_days AS "expireAfterDays",
       s.provider_work AS "providerWork", coalesce(x.connection_id, k.connection_id) AS "connectionId",
       x.reference AS "providerReference", d.disabled_at IS NOT NULL AS "connectionDisabled"`;

/** The subscriptions (`s`) of a tenant with customer, plan, settings, scheduled plan and name at the provider; a further condition follows. */
export const BILLED_TABLES = `
  FROM tollgate.subscriptions s
  JOIN tollgate.customers c ON c.workspace_id = s.workspace_id AND c.environment = s.environment AND c.id = s.customer_id
  JOIN tollgate.plans p ON p.workspace_id = s.workspace_id AND p.environment = s.environment AND p.id = s.plan_id
  JOIN tollgate.workspace_settings w ON w.workspace_id = s.workspace_id AND w.environment = s.environment
  LEFT JOIN tollgate.plans n ON n.workspace_id = s.workspace_id AND n.environment = s.environment AND n.id = s.scheduled_plan_id
  LEFT JOIN tollgate.checkouts k ON k.workspace_id = s.workspace_id AND k.environment = s.environment
   AND k.subscription_id = s.id AND s.provider <> 'internal'
  LEFT JOIN LATERAL (
    SELECT r.connection_id, r.reference FROM tollgate.provider_references r
     WHERE r.workspace_id = s.workspace_id AND r.environment = s.environment AND r.target_id = s.id
       AND r.kind = 'subscription'
     ORDER BY r.created_at LIMIT 1) x ON s.provider <> 'internal'
  LEFT JOIN tollgate.provider_connections d ON d.workspace_id = s.workspace_id AND d.environment = s.environment
   AND d.id = coalesce(x.connection_id, k.connection_id)
 WHERE s.workspace_id = :workspaceId AND s.environment = :environment`;

const SELECT = `SELECT ${BILLED_COLUMNS} ${BILLED_TABLES}`;

/** @param lock keeps the row for this transaction, so that two acts on one subscription follow each other */
export async function findBilledSubscription(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  lock: 'lock' | 'read',
): Promise<BilledSubscription | undefined> {
  // The lock comes first and alone: a plan that was edited while the transaction waited is then read as it is.
  if (lock === 'lock') await lockRow(trx, scope, id);
  const { rows } = await trx.raw<{ rows: BilledRow[] }>(`${SELECT} AND s.id = :id`, { ...scope, id });
  return rows[0] === undefined ? undefined : toBilledSubscription(rows[0]);
}

/** Who bills a subscription; undefined when there is no such one. */
export async function findBillingProvider(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<Provider | undefined> {
  const row = await trx('tollgate.subscriptions')
    .where({ ...tenantColumns(scope), id })
    .first<{ provider: Provider } | undefined>('provider');
  return row?.provider;
}

/**
 * Subscriptions, those of unpaid checkouts too, whose next step comes at or before an instant; the earliest first.
 */
export async function findBilledSubscriptionsWakingBy(
  trx: DbTransaction,
  scope: WorkspaceScope,
  instant: Instant,
  most: number,
): Promise<BilledSubscription[]> {
  const { rows } = await trx.raw<{ rows: BilledRow[] }>(
    `${SELECT} AND s.next_wake_at <= :instant ORDER BY s.next_wake_at, s.id LIMIT :most`,
    { ...scope, instant: new Date(instant), most },
  );
  return rows.map(toBilledSubscription);
}

/** Subscriptions that are past due at payment providers; those whose period ends first come first. */
export async function findPastDueAtProviders(
  trx: DbTransaction,
  scope: WorkspaceScope,
  most: number,
): Promise<BilledSubscription[]> {
  const { rows } = await trx.raw<{ rows: BilledRow[] }>(
    `${SELECT} AND s.status = 'past_due' AND s.provider <> 'internal' ORDER BY s.current_period_end, s.id LIMIT :most`,
    { ...scope, most },
  );
  return rows.map(toBilledSubscription);
}

/**
 * Writes what an act has changed; the row's version goes up by one. The caller holds the row's lock.
 *
 * @param now the workspace's time
 * @returns the row as it is stored
 */
export async function saveBilledSubscription(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  now: Instant,
): Promise<BilledSubscription> {
  const { scheduled } = subscription;
  const nextWakeAt = wakeAt(subscription);
  const changed = await trx('tollgate.subscriptions')
    .where({
      ...tenantColumns(scope),
      id: subscription.id,
      version: subscription.version.toString(),
    })
    .update({
      plan_id: subscription.planId,
      status: subscription.status,
      seats: subscription.seats,
      unit_amount: subscription.unitAmount.toString(),
      billing_interval: subscription.interval,
      pricing: subscription.pricing,
      tax: JSON.stringify(subscription.tax),
      started_at: new Date(subscription.startedAt),
      billing_anchor: new Date(subscription.billingAnchor),
      trial_end: dateOrNull(subscription.trialEnd),
      current_period_start: new Date(subscription.currentPeriodStart),
      current_period_end: new Date(subscription.currentPeriodEnd),
      cancel_at_period_end: subscription.cancelAtPeriodEnd,
      cancel_at: dateOrNull(subscription.cancelAt),
      cancelled_at: dateOrNull(subscription.cancelledAt),
      past_due_since: dateOrNull(subscription.pastDueSince),
      payment_due_at: dateOrNull(subscription.paymentDueAt),
      incomplete_until: dateOrNull(subscription.incompleteUntil),
      scheduled_plan_id: scheduled?.planId ?? null,
      scheduled_seats: scheduled?.seats ?? null,
      scheduled_requested_at: dateOrNull(scheduled?.requestedAt ?? null),
      metadata: JSON.stringify(metadataColumn(subscription.metadata, subscription.work.sync)),
      provider_work: subscription.provider === 'internal' ? null : providerWorkColumn(subscription.work),
      next_wake_at: dateOrNull(nextWakeAt),
      updated_at: new Date(now),
      version: trx.raw('version + 1'),
    });
  if (changed !== 1) {
    throw new TollgateError('service_busy', 'The subscription was changed by another request.', {
      retryAfter: 1,
    });
  }
  return { ...subscription, nextWakeAt, version: subscription.version + 1n };
}

/** Not the key: rows that refer to the subscription (a new operation) can be written meanwhile. */
async function lockRow(trx: DbTransaction, scope: WorkspaceScope, id: string): Promise<void> {
  await trx('tollgate.subscriptions')
    .where({ ...tenantColumns(scope), id })
    .forNoKeyUpdate()
    .select('id');
}

export function toBilledSubscription(row: BilledRow): BilledSubscription {
  const {
    customerMetadata,
    scheduledPlanId,
    scheduledPlanSlug,
    scheduledSeats,
    scheduledUnitAmount,
    scheduledPricing,
    scheduledPlanInterval,
    scheduledRequestedAt,
    providerWork,
    ...rest
  } = row;
  const scheduled =
    scheduledPlanId === null
      ? null
      : ({
          planId: scheduledPlanId,
          planSlug: scheduledPlanSlug ?? '',
          seats: scheduledSeats ?? 1,
          unitAmount: BigInt(scheduledUnitAmount ?? 0),
          pricing: scheduledPricing ?? 'flat',
          interval: scheduledPlanInterval ?? row.interval,
          requestedAt: scheduledRequestedAt ?? 0,
        } satisfies ScheduledChange);
  const planUnitAmount = BigInt(row.planUnitAmount);
  return {
    ...rest,
    customerCountry: countryOf({ metadata: customerMetadata }),
    unitAmount: BigInt(row.unitAmount),
    planUnitAmount,
    version: BigInt(row.version),
    scheduled,
    work: readProviderWork(providerWork, row.metadata),
    scheduledInterval: scheduled?.interval ?? null,
    nextPeriodIsFree: (scheduled?.unitAmount ?? planUnitAmount) === 0n,
  };
}
