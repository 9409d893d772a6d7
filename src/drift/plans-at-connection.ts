import { listPlans } from '../catalog/plan-store';
import { planReferenceOf } from '../connections/plan-reference';
import type { ConnectionRow } from '../connections/connection-store';
import type { DbTransaction } from '../db/pools';
import { groupBy } from '../domain/group-by';
import type { PlanAtProvider, PlansAtProvider } from '../domain/terms-at-provider';
import { listFormerPrices } from '../connections/former-price-store';
import type { WorkspaceScope } from '../tenancy/actor';

/** Maximum number of plans read. A workspace has few plans; beyond this the oldest are ignored. */
const MOST = 10_000;

/**
 * Returns every plan of the workspace by its reference at a connection. Includes archived plans and former references,
 * because existing subscriptions keep them.
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
    // If several plans have one reference, the newest counts.
    if (!plans.has(reference)) plans.set(reference, { id, slug, planGroupId, price, pricing, interval });
  }
  const former = groupBy(await listFormerPrices(trx, scope, connection.id), ({ planId }) => planId);
  return {
    referenceOf: (planId) => references.get(planId) ?? null,
    planOf: (reference) => plans.get(reference) ?? null,
    formerPricesOf: (planId) => former.get(planId) ?? [],
  };
}
