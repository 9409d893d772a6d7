import { TollgateError } from '../domain/errors';
import { comparePlanPrice, type PlanPrice, type PlanPriceComparison } from '../domain/plan-price-comparison';
import type { ConnectionAccess } from '../providers/connection-access';
import type { ProviderAdapter } from '../providers/provider-adapter';
import { readPlanPrice } from './read-plan-price';

/** A plan with its reference at a connection. */
export interface PlanToSell extends PlanPrice {
  id: string;
  slug: string;
  planReference: string;
  /**
   * For more seats at provider A: the subscription there. If it is on another price than the plan's current one, it
   * keeps that price, so the current one is not checked.
   */
  keptBy?: string | undefined;
}

interface Provider {
  adapter: Pick<ProviderAdapter, 'fetchPlanPrice' | 'fetchSubscription'>;
  access: ConnectionAccess;
}

/**
 * Refuses to sell a plan for which the provider would charge a different price. A plan whose price cannot be compared
 * is sold.
 *
 * @throws TollgateError plan_price_differs, with both sides
 */
export async function requireSamePrice(provider: Provider, plan: PlanToSell): Promise<void> {
  if (plan.keptBy !== undefined && (await keepsAnother(provider, plan, plan.keptBy))) return;
  const comparison = comparePlanPrice(plan, await readPlanPrice(provider, plan.planReference));
  if (comparison.result === 'differs') throw priceDiffers(plan, provider.access.connectionId, comparison);
}

async function keepsAnother(
  { adapter, access }: Provider,
  { planReference }: PlanToSell,
  subscription: string,
): Promise<boolean> {
  const shown = await adapter.fetchSubscription(access, subscription);
  return shown.kind === 'done' && shown.value.planReference !== planReference;
}

function priceDiffers(
  { id: planId, slug, planReference }: PlanToSell,
  connectionId: string,
  { words, fields, local, provider }: Extract<PlanPriceComparison, { result: 'differs' }>,
): TollgateError {
  return new TollgateError(
    'plan_price_differs',
    `The plan "${slug}" has a different price at the connection "${connectionId}" ("${planReference}"). ${words}`,
    { extra: { connectionId, planId, planReference, fields, local, provider } },
  );
}
