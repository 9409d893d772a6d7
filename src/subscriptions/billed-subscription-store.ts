import { priceAtBoundary } from '../catalog/earlier-price-store';
import { countryOf } from '../customers/customer-store';
import { nothing, rowsAs, together, type Call } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { BillingInterval, Pricing } from '../domain/subscription-types';
import type { Metadata } from '../schemas/metadata';
import type { WorkspaceScope } from '../tenancy/actor';
import type { BilledSubscription, ScheduledChange } from './billed-subscription';
import { readProviderWork } from './provider-work-columns';

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

/** What billing reads of a subscription, selected from `billedTables`. */
export const BILLED_COLUMNS = `
       s.id, s.customer_id AS "customerId", c.external_id AS "externalId", s.plan_group_id AS "planGroupId",
       c.metadata AS "customerMetadata",
       s.plan_id AS "planId", p.slug AS "planSlug", s.provider, s.status, s.seats, s.unit_amount AS "unitAmount",
       s.currency, s.billing_interval AS interval, s.pricing, ${priceAtBoundary('p')} AS "planUnitAmount", s.tax,
       s.time_zone AS "timeZone", s.started_at AS "startedAt", s.billing_anchor AS "billingAnchor",
       s.trial_end AS "trialEnd", s.current_period_start AS "currentPeriodStart",
       s.current_period_end AS "currentPeriodEnd", s.cancel_at_period_end AS "cancelAtPeriodEnd",
       s.cancel_at AS "cancelAt",
       s.cancelled_at AS "cancelledAt", s.past_due_since AS "pastDueSince",
       s.unpaid_since AS "unpaidSince", s.payment_due_at AS "paymentDueAt",
       s.incomplete_until AS "incompleteUntil", s.metadata, s.version,
       s.next_wake_at AS "nextWakeAt",
       s.scheduled_plan_id AS "scheduledPlanId", n.slug AS "scheduledPlanSlug", s.scheduled_seats AS "scheduledSeats",
       ${priceAtBoundary('n')} AS "scheduledUnitAmount", n.pricing AS "scheduledPricing",
       n.billing_interval AS "scheduledPlanInterval", s.scheduled_requested_at AS "scheduledRequestedAt",
       w.past_due_after_days AS "pastDueAfterDays", w.expire_after_days AS "expireAfterDays",
       s.provider_work AS "providerWork", coalesce(x.connection_id, k.connection_id) AS "connectionId",
       x.reference AS "providerReference", d.disabled_at IS NOT NULL AS "connectionDisabled"`;

/** How a statement writes the workspace and the environment; by default, as the members of a scope. */
type TenantParameters = readonly [workspaceId: string, environment: string];

/**
 * A tenant's subscriptions (`s`) with customer, plan, settings, scheduled plan and provider reference; a further
 * condition follows.
 */
export function billedTables(tenant: TenantParameters = [':workspaceId', ':environment']): string {
  const [workspaceId, environment] = tenant;
  return `
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
 WHERE s.workspace_id = ${workspaceId} AND s.environment = ${environment}`;
}

/** Columns that only read models need. */
export const READ_COLUMNS = 'p.name AS "planName", s.created_at AS "createdAt", s.updated_at AS "updatedAt"';

/** A row of `BILLED_COLUMNS` and `READ_COLUMNS`. */
export type ReadRow = BilledRow & { planName: string; createdAt: Instant; updatedAt: Instant };

const SELECT = `SELECT ${BILLED_COLUMNS} ${billedTables()}`;

/**
 * @param lock `lock` holds the row until the transaction ends, so that concurrent commands on a subscription run in
 *   turn
 */
export async function findBilledSubscription(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  lock: 'lock' | 'read',
): Promise<BilledSubscription | undefined> {
  const read = billedSubscriptionCall(scope, id);
  if (lock === 'read') return (await together(trx, [read]))[0];
  // Locks in a statement of its own first, so that a plan edited while the transaction waited is read in its current
  // state.
  return (await together(trx, [lockSubscriptionCall(scope, id), read]))[1];
}

export function billedSubscriptionCall(
  scope: WorkspaceScope,
  id: string,
): Call<BilledSubscription | undefined> {
  const call = subscriptionRowCall(scope, id);
  return {
    ...call,
    read: (rows) => {
      const row = call.read(rows);
      return row === undefined ? undefined : toBilledSubscription(row);
    },
  };
}

/** Reads the row with the columns of read models: one statement for both, which a connection plans once. */
export function subscriptionRowCall(
  { workspaceId, environment }: WorkspaceScope,
  id: string,
): Call<ReadRow | undefined> {
  return {
    name: 'subscription',
    text: FIND,
    values: [workspaceId, environment, id],
    read: (rows) => rowsAs<ReadRow>(rows)[0],
  };
}

const FIND = `SELECT ${BILLED_COLUMNS}, ${READ_COLUMNS} ${billedTables(['$1', '$2'])} AND s.id = $3`;

/**
 * Locks the row but not its key, so that rows that refer to the subscription (a new operation) can be written
 * concurrently.
 */
export function lockSubscriptionCall({ workspaceId, environment }: WorkspaceScope, id: string): Call<void> {
  return {
    name: 'lock_subscription',
    text: `SELECT FROM tollgate.subscriptions
            WHERE workspace_id = $1 AND environment = $2 AND id = $3 FOR NO KEY UPDATE`,
    values: [workspaceId, environment, id],
    read: nothing,
  };
}

/** Finds subscriptions whose next step is due at or before an instant, unpaid checkouts included; earliest first. */
export async function findBilledSubscriptionsWakingBy(
  trx: DbTransaction,
  scope: WorkspaceScope,
  instant: Instant,
  limit: number,
): Promise<BilledSubscription[]> {
  const { rows } = await trx.raw<{ rows: BilledRow[] }>(
    `${SELECT} AND s.next_wake_at <= :instant ORDER BY s.next_wake_at, s.id LIMIT :limit`,
    { ...scope, instant: new Date(instant), limit },
  );
  return rows.map(toBilledSubscription);
}

/** Finds past-due subscriptions at payment providers, by end of period. */
export async function findPastDueAtProviders(
  trx: DbTransaction,
  scope: WorkspaceScope,
  limit: number,
): Promise<BilledSubscription[]> {
  const { rows } = await trx.raw<{ rows: BilledRow[] }>(
    `${SELECT} AND s.status = 'past_due' AND s.provider <> 'internal' ORDER BY s.current_period_end, s.id LIMIT :limit`,
    { ...scope, limit },
  );
  return rows.map(toBilledSubscription);
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
