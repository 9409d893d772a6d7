import { TollgateError } from '../domain/errors';
import { providerRefused } from '../domain/provider-refused';
import { comparePlanPrice, type PlanPrice, type PlanPriceComparison } from '../domain/plan-price-comparison';
import { AMBIGUOUS_ITEM } from '../providers/ambiguous-item';
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
  /** For a change that provider A is to make now: the subscription there. */
  changes?: string | undefined;
}

interface Provider {
  adapter: Pick<ProviderAdapter, 'fetchPlanPrice' | 'fetchSubscription'>;
  access: ConnectionAccess;
}

/**
 * Refuses to sell a plan for which the provider would charge a different price. A plan whose price cannot be compared
 * is sold. Nor is anything sold to a subscription that cannot be changed there.
 *
 * @throws TollgateError plan_price_differs, with both sides; provider_refused
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
  { planReference, seatsOf, changes = seatsOf }: PlanToSell,
): Promise<string | null> {
  if (changes === undefined) return planReference;
  const shown = await adapter.fetchSubscription(access, changes);
  const facts = shown.kind === 'done' ? shown.value : null;
  if (facts?.isAmbiguous === true) throw providerRefused(AMBIGUOUS_ITEM.code, AMBIGUOUS_ITEM.reason);
  return seatsOf === undefined ? planReference : (facts?.planReference ?? null);
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
