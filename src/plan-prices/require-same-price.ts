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
   * For more seats at provider A: the subscription there. They are charged at the price that it is billed at, which may
   * be older than the plan's current one.
   */
  seatsOf?: string | undefined;
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
  const planReference = await chargedReference(provider, plan);
  if (planReference === null) return;
  const comparison = comparePlanPrice(plan, await readPlanPrice(provider, planReference));
  if (comparison.result !== 'differs') return;
  throw priceDiffers({ ...plan, planReference }, provider.access.connectionId, comparison);
}

/** Returns null if the provider does not say which price it bills. */
async function chargedReference(
  { adapter, access }: Provider,
  { planReference, seatsOf }: PlanToSell,
): Promise<string | null> {
  if (seatsOf === undefined) return planReference;
  const shown = await adapter.fetchSubscription(access, seatsOf);
  return shown.kind === 'done' ? shown.value.planReference : null;
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
