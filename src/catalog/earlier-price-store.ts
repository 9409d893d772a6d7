import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * Keeps what a plan cost until an edit, for the renewals whose boundary was before it.
 *
 * @param amount minor units as text
 * @param until the workspace's time of the edit
 */
export async function insertEarlierPrice(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { planId, amount, until }: { planId: string; amount: string; until: Instant },
): Promise<void> {
  // Of two edits at one instant the first has what held before it.
  await trx('tollgate.earlier_plan_prices')
    .insert({ ...tenantColumns(scope), plan_id: planId, until: new Date(until), amount })
    .onConflict()
    .ignore();
}

/**
 * SQL of what a plan costs a subscription `s` of local billing at the end of its current period: the price of now until
 * that has come.
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
