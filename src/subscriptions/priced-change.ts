import { findConnection } from '../connections/connection-store';
import { planReferenceOf } from '../connections/plan-reference';
import { findPlan } from '../catalog/plan-store';
import type { DbTransaction } from '../db/pools';
import { quantityAtProvider } from '../domain/provider-quantity';
import type { OfferedPlan } from '../domain/subscription';
import type { PlanToSell } from '../plan-prices/require-same-price';
import type { WorkspaceScope } from '../tenancy/actor';
import type { BilledSubscription } from './billed-subscription';

/** What a change would sell at a provider, as a checkout does. */
export interface PricedChange {
  connectionId: string;
  plan: PlanToSell;
}

/**
 * Another plan, or more seats that are billed. Fewer seats sell nothing, and are let go at whatever price; so are those
 * of a flat plan.
 */
export function needsPrice(before: BilledTerms, after: BilledTerms): boolean {
  return after.planId !== before.planId || quantityAtProvider(after) > quantityAtProvider(before);
}

type BilledTerms = Pick<BilledSubscription, 'planId' | 'seats' | 'pricing'>;

/** Null where a change sells nothing, nothing at a provider, or a plan that has no name there. */
export async function pricedChange(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  target: OfferedPlan,
  seats: number,
): Promise<PricedChange | null> {
  const { connectionId } = subscription;
  if (
    connectionId === null ||
    !needsPrice(subscription, { planId: target.id, seats, pricing: target.pricing })
  )
    return null;
  const connection = await findConnection(trx, scope, connectionId);
  const row = await findPlan(trx, scope, { id: target.id });
  const planReference = connection && row ? planReferenceOf(connection, row) : null;
  if (planReference === null) return null;
  return { connectionId, plan: { ...target, ...priceOfSeats(subscription, target), planReference } };
}

/** More seats cost what the current period does where they are charged in it, at provider A. */
export function priceOfSeats(
  subscription: BilledSubscription,
  { id }: { id: string },
): Partial<Pick<PlanToSell, 'price' | 'keptBy'>> {
  const { provider, planId, unitAmount: amount, currency, providerReference } = subscription;
  if (provider !== 'provider_a' || id !== planId) return {};
  return { price: { amount, currency }, keptBy: providerReference ?? undefined };
}
