import type { DbTransaction } from '../../db/pools';
import { dateOrNull } from '../../db/parameters';
import { tenantColumns } from '../../db/tenant-columns';
import type { Instant } from '../../domain/instant';
import type { WorkspaceScope } from '../../tenancy/actor';

/** How far a subscription's charges were read at its provider. Instants are the provider's time, except `at`. */
export interface PaymentsRead {
  /** The latest charge listed; null if there was none. */
  until: Instant | null;
  /** The latest charge of zero, or the latest failed charge that is no longer owed. */
  nothingDueAt: Instant | null;
  /** When the charges were last read; the workspace's time. */
  at: Instant | null;
}

export async function findPaymentsRead(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
): Promise<PaymentsRead | undefined> {
  return subscription(trx, scope, subscriptionId).first<PaymentsRead | undefined>({
    until: 'payments_read_until',
    nothingDueAt: 'nothing_due_at',
    at: 'payments_read_at',
  });
}

/** Moves the values forward only. The row's version is unchanged. */
export async function savePaymentsRead(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
  { until, nothingDueAt, at }: PaymentsRead,
): Promise<void> {
  await subscription(trx, scope, subscriptionId).update({
    payments_read_until: trx.raw('greatest(payments_read_until, ?::timestamptz)', [dateOrNull(until)]),
    payments_read_at: trx.raw('greatest(payments_read_at, ?::timestamptz)', [dateOrNull(at)]),
    nothing_due_at: trx.raw('greatest(nothing_due_at, ?::timestamptz)', [dateOrNull(nothingDueAt)]),
  });
}

/**
 * Active subscriptions (`s`) whose charges were read more than 3 days after their period began, without finding a
 * payment for it, not even one that a bank has not answered yet. A payment of the customer whose subscription is not
 * known counts, unless it was made through a one-time checkout.
 */
const UNPAID = `
  FROM tollgate.subscriptions s
 WHERE s.workspace_id = :workspaceId AND s.environment = :environment AND s.provider <> 'internal'
   AND s.status = 'active' AND s.unit_amount > 0 AND (s.trial_end IS NULL OR s.trial_end <= s.current_period_start)
   AND s.payments_read_at > s.current_period_start + interval '3 days'
   AND (s.nothing_due_at IS NULL OR s.nothing_due_at < s.current_period_start - interval '2 days')
   AND NOT EXISTS (
     SELECT FROM tollgate.payments p
      WHERE p.workspace_id = s.workspace_id AND p.environment = s.environment AND p.customer_id = s.customer_id
        AND p.status IN ('succeeded', 'pending') AND p.received_at >= s.current_period_start - interval '2 days'
        AND (p.subscription_id = s.id
             OR (p.subscription_id IS NULL AND p.checkout_id IS NULL AND p.provider = s.provider)))`;

/** For the verifier: one row per subscription whose current period at its provider is unpaid. */
export const UNPAID_PERIODS = `
SELECT format('subscription %s: %s began its period at %s, and no payment of it is known', s.id, s.provider, s.current_period_start) AS example
${UNPAID}`;

/** Returns whether a subscription's current period at its provider is neither paid nor free. */
export async function isPeriodUnpaid(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(`SELECT s.id ${UNPAID} AND s.id = :id`, {
    ...scope,
    id,
  });
  return rows.length > 0;
}

function subscription(trx: DbTransaction, scope: WorkspaceScope, id: string) {
  return trx('tollgate.subscriptions').where({ ...tenantColumns(scope), id });
}
