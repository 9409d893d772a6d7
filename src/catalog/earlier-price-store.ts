import { insertEarlier } from '../db/insert-earlier';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * Stores a plan's price from before an edit, for renewals whose boundary lies before the edit. The caller holds the
 * plan's lock.
 *
 * @param amount minor units as text
 * @param until the workspace's time of the edit
 */
export function insertEarlierPrice(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { planId, amount, until }: { planId: string; amount: string; until: Instant },
): Promise<void> {
  const of = { ...tenantColumns(scope), plan_id: planId };
  return insertEarlier(trx, { table: 'tollgate.earlier_plan_prices', of, values: { amount }, until });
}

/**
 * Returns SQL for the price that a plan has for a subscription `s` of local billing at the end of its current period;
 * the current price if that end lies ahead.
 *
 * @param plan the alias of the plan's row
 */
export function priceAtBoundary(plan: string): string {
  return `coalesce((
         SELECT e.amount FROM tollgate.earlier_plan_prices e
          WHERE e.workspace_id = s.workspace_id AND e.environment = s.environment AND e.plan_id = ${plan}.id
            AND s.provider = 'internal' AND e.until > s.current_period_end
          ORDER BY e.until LIMIT 1), ${plan}.price_amount)`;
}
