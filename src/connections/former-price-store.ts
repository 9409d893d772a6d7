import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { FormerPlanPrice } from '../domain/terms-at-provider';
import type { WorkspaceScope } from '../tenancy/actor';

/** A former price of a plan at a connection. */
export interface FormerPriceRow extends FormerPlanPrice {
  connectionId: string;
}

/** Maximum number of rows per statement. */
const PART = 1_000;

/**
 * Stores each former price once.
 * @param leftAt when they were replaced
 */
export async function insertFormerPrices(
  trx: DbTransaction,
  scope: WorkspaceScope,
  prices: readonly FormerPriceRow[],
  leftAt: Instant,
): Promise<void> {
  for (let start = 0; start < prices.length; start += PART) {
    const rows = prices.slice(start, start + PART).map(({ connectionId, planId, reference, amount }) => ({
      ...tenantColumns(scope),
      connection_id: connectionId,
      plan_id: planId,
      reference,
      amount: amount.toString(),
      left_at: new Date(leftAt),
    }));
    await trx('tollgate.former_plan_prices').insert(rows).onConflict().ignore();
  }
}

export async function listFormerPrices(
  trx: DbTransaction,
  scope: WorkspaceScope,
  connectionId: string,
): Promise<FormerPlanPrice[]> {
  const rows = await trx('tollgate.former_plan_prices')
    .where({ ...tenantColumns(scope), connection_id: connectionId })
    .select<FormerRow[]>('plan_id', 'reference', 'amount');
  return rows.map(({ plan_id: planId, reference, amount }) => ({
    planId,
    reference,
    amount: BigInt(amount),
  }));
}

/** Returns the former references of all plans at a connection. */
export async function listFormerReferences(
  trx: DbTransaction,
  scope: WorkspaceScope,
  connectionId: string,
): Promise<string[]> {
  const rows = await trx('tollgate.former_plan_prices')
    .where({ ...tenantColumns(scope), connection_id: connectionId })
    .distinct<{ reference: string }[]>('reference');
  return rows.map(({ reference }) => reference);
}

interface FormerRow {
  plan_id: string;
  reference: string;
  amount: string;
}
