import { findConnection } from '../connections/connection-store';
import { planReferenceOf } from '../connections/plan-reference';
import { findPlanNames } from '../catalog/plan-store';
import type { DbTransaction } from '../db/pools';
import { mayBePrepared } from '../domain/provider-calls';
import { quantityAtProvider } from '../domain/provider-quantity';
import type { OfferedPlan } from '../domain/subscription';
import type { PlanToSell } from '../plan-prices/require-same-price';
import type { WorkspaceScope } from '../tenancy/actor';
import type { BilledSubscription } from './billed-subscription';

/** What a change sells at a provider, like a checkout. */
export interface PricedChange {
  connectionId: string;
  plan: PlanToSell;
}

/**
 * Returns whether the change sells another plan or more billed seats. Fewer seats sell nothing and need no price; the
 * same holds for seats of a flat plan.
 */
export function needsPrice(before: BilledTerms, after: BilledTerms): boolean {
  return after.planId !== before.planId || quantityAtProvider(after) > quantityAtProvider(before);
}

type BilledTerms = Pick<BilledSubscription, 'planId' | 'seats' | 'pricing'>;

/**
 * Returns null if the change sells nothing, if no provider is involved, or if the plan has no reference there. Nor do
 * more seats have a price to compare while an earlier call is unconfirmed: the provider may already bill what it
 * changes. The command is refused then, or compares the price before its own call.
 */
export async function pricedChange(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  target: OfferedPlan,
  seats: number,
): Promise<PricedChange | null> {
  const { connectionId, planId, work } = subscription;
  if (
    connectionId === null ||
    !needsPrice(subscription, { planId: target.id, seats, pricing: target.pricing }) ||
    (target.id === planId && work.unsettled !== null)
  )
    return null;
  const connection = await findConnection(trx, scope, connectionId);
  const row = await findPlanNames(trx, scope, target.id);
  const planReference = connection && row ? planReferenceOf(connection, row) : null;
  if (planReference === null) return null;
  return { connectionId, plan: { ...target, planReference, ...priceOfSeats(subscription, target) } };
}

/**
 * Returns the price of more seats: at provider A, they cost the current period's price if they are charged within it.
 * If A may have been prepared for another price, the subscription's own is restored first.
 */
export function priceOfSeats(
  subscription: BilledSubscription,
  { id }: { id: string },
): Partial<Pick<PlanToSell, 'price' | 'planReference' | 'seatsOf'>> {
  const { provider, planId, unitAmount: amount, currency, providerReference, work } = subscription;
  if (provider !== 'provider_a' || id !== planId) return {};
  const price = { amount, currency };
  if (!mayBePrepared(subscription)) return { price, seatsOf: providerReference ?? undefined };
  const planReference = work.sync?.ownReference;
  return { price, ...(planReference !== undefined && { planReference }) };
}
