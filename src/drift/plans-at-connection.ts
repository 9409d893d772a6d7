import { listPlans } from '../catalog/plan-store';
import { planReferenceOf } from '../connections/plan-reference';
import type { ConnectionRow } from '../connections/connection-store';
import type { DbTransaction } from '../db/pools';
import { groupBy } from '../domain/group-by';
import type { PlanAtProvider, PlansAtProvider } from '../domain/terms-at-provider';
import { listFormerPrices } from '../plan-prices/former-price-store';
import type { WorkspaceScope } from '../tenancy/actor';

/** A workspace has a few plans; beyond so many the oldest are not looked at. */
const MOST = 10_000;

/**
 * Every plan of the workspace by its name at a connection, the archived ones too, with the names that it has left
 * behind: who is on one stays on it.
 */
export async function plansAtConnection(
  trx: DbTransaction,
  scope: WorkspaceScope,
  connection: Pick<ConnectionRow, 'id' | 'provider' | 'settings'>,
): Promise<PlansAtProvider> {
  const references = new Map<string, string>();
  const plans = new Map<string, PlanAtProvider>();
  for (const plan of await listPlans(trx, scope, { take: MOST })) {
    const reference = planReferenceOf(connection, plan);
    if (reference === null) continue;
    references.set(plan.id, reference);
    const { id, slug, planGroupId, pricing, billingInterval: interval } = plan;
    const price = { amount: BigInt(plan.priceAmount), currency: plan.priceCurrency };
    // Of several plans with one name the newest counts.
    if (!plans.has(reference)) plans.set(reference, { id, slug, planGroupId, price, pricing, interval });
  }
  const former = groupBy(await listFormerPrices(trx, scope, connection.id), ({ planId }) => planId);
  return {
    referenceOf: (planId) => references.get(planId) ?? null,
    planOf: (reference) => plans.get(reference) ?? null,
    formerAmounts: (planId, reference) =>
      (former.get(planId) ?? []).filter((one) => one.reference === reference).map(({ amount }) => amount),
  };
}
