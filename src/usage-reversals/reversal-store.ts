import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import { formatDecimal, type Decimal } from '../domain/decimal';
import { isoText, type Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import type { StoredDeduction, TakenDeduction } from '../usage/stored-deduction';

/** The fields of a recorded use that a reversal needs. */
export interface ReversibleEvent {
  id: string;
  customerId: string;
  externalId: string;
  isErased: boolean;
  featureId: string;
  feature: string;
  quantity: string;
  deductions: StoredDeduction[];
  /** The customer's entity that used it. */
  entity: string | null;
}

/** The operator or API key that reversed a use. */
interface ReversalActor {
  operatorId: string | null;
  apiKeyId: string | null;
}

/** Reversal of a use. */
export interface ReversalRow {
  eventId: string;
  quantity: string;
  deductions: StoredDeduction[];
  reason: string;
  actor: ReversalActor;
  reversedAt: Instant;
}

export async function findReversibleEvent(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<ReversibleEvent | undefined> {
  const { rows } = await trx.raw<{ rows: ReversibleEvent[] }>(
    `SELECT e.id, e.customer_id AS "customerId", c.external_id AS "externalId", c.erased_at IS NOT NULL AS "isErased",
            e.feature_id AS "featureId", f.key AS feature, e.quantity, e.deductions, e.entity
       FROM tollgate.usage_events e
       JOIN tollgate.customers c
         ON c.workspace_id = :workspaceId AND c.environment = :environment AND c.id = e.customer_id
       JOIN tollgate.features f
         ON f.workspace_id = :workspaceId AND f.environment = :environment AND f.id = e.feature_id
      WHERE e.workspace_id = :workspaceId AND e.environment = :environment AND e.id = :id`,
    { ...scope, id },
  );
  return rows[0];
}

/** Returns the reversal of an event, if there is one. */
export async function findReversal(
  trx: DbTransaction,
  scope: WorkspaceScope,
  eventId: string,
): Promise<ReversalRow | undefined> {
  return trx('tollgate.usage_reversals')
    .where({ ...tenantColumns(scope), event_id: eventId })
    .first<ReversalRow | undefined>({
      eventId: 'event_id',
      quantity: 'quantity',
      deductions: 'deductions',
      reason: 'reason',
      actor: 'actor',
      reversedAt: 'reversed_at',
    });
}

export async function insertReversal(
  trx: DbTransaction,
  scope: WorkspaceScope,
  event: ReversibleEvent,
  reversal: ReversalRow,
): Promise<void> {
  await trx('tollgate.usage_reversals').insert({
    ...tenantColumns(scope),
    event_id: reversal.eventId,
    customer_id: event.customerId,
    feature_id: event.featureId,
    quantity: reversal.quantity,
    deductions: JSON.stringify(reversal.deductions),
    reason: reversal.reason,
    actor: JSON.stringify(reversal.actor),
    reversed_at: new Date(reversal.reversedAt),
  });
}

/** The column of a counter for the units taken from each source. */
const COUNTED = {
  quota: 'quota_used',
  rollover: 'rollover_used',
  credits: 'credit_used',
  overage: 'overage_used',
} as const;

/**
 * Returns units to the counter in which they were counted and, for rollover, to the earlier one whose quota they used.
 * The customer's balances must be locked.
 *
 * @throws Error if there is no such counter; what an event took is always counted
 */
export async function returnToCounter(
  trx: DbTransaction,
  scope: WorkspaceScope,
  event: ReversibleEvent,
  returned: TakenDeduction,
  now: Instant,
): Promise<void> {
  const { from, periodStart } = returned;
  const table = 'tollgate.usage_counters';
  await lower(trx, scope, event, returned, { table, column: COUNTED[from], periodStart, now });
  if (from !== 'rollover') return;
  const origin = { periodStart: returned.originStart, now };
  await lower(trx, scope, event, returned, { table, column: 'used_later', ...origin });
}

async function lower(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { customerId, featureId }: ReversibleEvent,
  { quantity, subscriptionId, resetInterval }: TakenDeduction,
  counter: { table: string; column: string; periodStart: Instant; now: Instant; more?: { entity: string } },
): Promise<void> {
  const { table, column, periodStart, now, more = {} } = counter;
  const updated = await trx(table)
    .where({
      ...tenantColumns(scope),
      customer_id: customerId,
      feature_id: featureId,
      subscription_id: subscriptionId,
      reset_interval: resetInterval,
      period_start: new Date(periodStart),
      ...more,
    })
    .update({
      [column]: trx.raw('?? - ?::numeric', [column, formatDecimal(quantity)]),
      updated_at: new Date(now),
    });
  if (updated !== 1)
    throw new Error(`The counter of a use is missing: ${subscriptionId} from ${isoText(periodStart)}.`);
}

/** Returns units to the counter of the event's entity. */
export async function returnToEntity(
  trx: DbTransaction,
  scope: WorkspaceScope,
  event: ReversibleEvent & { entity: string },
  returned: TakenDeduction,
  now: Instant,
): Promise<void> {
  const { from, periodStart } = returned;
  const { entity } = event;
  const counter = { table: 'tollgate.entity_counters', column: COUNTED[from], periodStart, now };
  await lower(trx, scope, event, returned, { ...counter, more: { entity } });
}

/** Returns credits to their grant; an expired grant stays expired. The customer's balances must be locked. */
export async function returnToGrant(
  trx: DbTransaction,
  scope: WorkspaceScope,
  grantId: string,
  credits: Decimal,
): Promise<void> {
  const updated = await trx('tollgate.credit_grants')
    .where({ ...tenantColumns(scope), id: grantId })
    .update({ remaining: trx.raw('remaining + ?::numeric', [formatDecimal(credits)]) });
  if (updated !== 1) throw new Error(`The grant of a use is missing: ${grantId}.`);
}
