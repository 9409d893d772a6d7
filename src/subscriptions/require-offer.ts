import { requirePlan } from '../catalog/plan-service';
import { findPlan } from '../catalog/plan-store';
import { holdCustomer, type CustomerRow } from '../customers/customer-store';
import type { DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import type { OfferedPlan } from '../domain/subscription';
import type { WorkspaceScope } from '../tenancy/actor';

/*
 * The customer and the plan that a request names, by our id or by the integrator's name.
 */

/** @throws TollgateError customer_not_found, customer_erased */
export async function requireNamedCustomer(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { customerId, externalId = '' }: { customerId?: string | undefined; externalId?: string | undefined },
): Promise<CustomerRow> {
  return holdCustomer(trx, scope, customerId === undefined ? { externalId } : { id: customerId });
}

/** @throws TollgateError plan_not_found, plan_archived if the plan's group is archived */
export async function requireOfferedPlan(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { planId, planSlug = '' }: { planId?: string | undefined; planSlug?: string | undefined },
): Promise<OfferedPlan> {
  const name = planId === undefined ? { slug: planSlug } : { id: planId };
  const plan = requirePlan(await findPlan(trx, scope, name, 'share'), planId ?? planSlug);
  const { planGroup } = plan;
  if (plan.archivedAt === null && planGroup.archivedAt !== null) {
    throw new TollgateError(
      'plan_archived',
      `The plan "${plan.slug}" is in the archived group "${planGroup.slug}".`,
    );
  }
  return {
    id: plan.id,
    slug: plan.slug,
    planGroupId: plan.planGroupId,
    price: { amount: BigInt(plan.priceAmount), currency: plan.priceCurrency },
    interval: plan.billingInterval,
    pricing: plan.pricing,
    trialDays: plan.trialDays,
    archived: plan.archivedAt !== null,
  };
}
