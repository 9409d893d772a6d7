import { z } from 'zod';
import { parseDecimal } from '../../domain/decimal';
import { displayMoney } from '../../domain/display-text';
import { PRICE_INTERVALS, timeInWords, type PriceAtProvider } from '../../domain/plan-price-comparison';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { pathOf } from './address';
import type { ProviderBClient } from './client';
import { readOutcome } from './outcomes';
import { amount } from './values';

const pricingScheme = z.object({
  fixed_price: amount.nullish(),
  pricing_model: z.string().nullish(),
});

const billingCycle = z.object({
  tenure_type: z.string(),
  frequency: z.object({
    interval_unit: z.string(),
    interval_count: z
      .string()
      .regex(/^\d{1,3}$/)
      .transform(Number)
      .nullish(),
  }),
  total_cycles: z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .nullish(),
  pricing_scheme: pricingScheme.nullish(),
});
type BillingCycle = z.infer<typeof billingCycle>;

/** Numbers are text: see `readJson`. */
const pricedPlan = z.object({
  id: z.string(),
  product_id: z.string().nullish(),
  quantity_supported: z.boolean().nullish(),
  billing_cycles: z.array(billingCycle),
  payment_preferences: z.object({ setup_fee: amount.nullish() }).nullish(),
  taxes: z.object({ percentage: z.string().nullish(), inclusive: z.boolean().nullish() }).nullish(),
});
type PricedPlan = z.infer<typeof pricedPlan>;

/** Fetches the price of a plan, which is the price of its one regular billing cycle. */
export function fetchPlanPrice(
  client: ProviderBClient,
  access: ConnectionAccess,
  reference: string,
): Promise<Outcome<PriceAtProvider>> {
  return readOutcome(async () =>
    priceFacts(await client.get(access, pathOf('/v1/billing/plans/', reference), pricedPlan)),
  );
}

function priceFacts(plan: PricedPlan): PriceAtProvider {
  const [regular, ...others] = plan.billing_cycles.filter(({ tenure_type: type }) => type === 'REGULAR');
  const only = others.length === 0 ? regular : undefined;
  const fixed = isTiered(only) ? undefined : only?.pricing_scheme?.fixed_price;
  return {
    reference: plan.id,
    amount: fixed?.amount.toString() ?? null,
    currency: fixed?.currency ?? null,
    interval: only === undefined ? null : intervalOf(only),
    perSeat: plan.quantity_supported ?? false,
    taxBehavior: taxOf(plan),
    product: plan.product_id ?? null,
    before: beforeOf(plan),
    unverifiable: unverifiableOf(plan, only),
  };
}

function unverifiableOf(
  { id }: PricedPlan,
  regular: BillingCycle | undefined,
): PriceAtProvider['unverifiable'] {
  if (regular === undefined)
    return {
      code: 'several_billing_cycles',
      reason: `The plan ${id} does not have exactly one regular billing cycle.`,
    };
  if (isTiered(regular))
    return { code: 'tiered', reason: `The plan ${id} is tiered: what it charges depends on the quantity.` };
  return null;
}

/** Describes the trial cycles, free or paid, and the setup fee, which B charges every subscriber. */
function beforeOf({ billing_cycles: cycles, payment_preferences: preferences }: PricedPlan) {
  const trials = cycles.filter(({ tenure_type: type }) => type !== 'REGULAR').map(trialInWords);
  const fee = preferences?.setup_fee;
  return {
    ...(trials.length > 0 && { trial: trials.join(' and ') }),
    ...(fee && fee.amount !== 0n && { setupFee: `a setup fee of ${displayMoney(fee)}` }),
  };
}

function trialInWords(cycle: BillingCycle): string {
  const interval = intervalOf(cycle);
  const isKnown = interval !== null && interval !== 'once';
  const lasts = isKnown
    ? ` of ${timeInWords({ ...interval, count: interval.count * (cycle.total_cycles ?? 1) })}`
    : '';
  const price = cycle.pricing_scheme?.fixed_price;
  if (price === undefined || price === null || price.amount === 0n) return `a free trial${lasts}`;
  const times = (cycle.total_cycles ?? 1) > 1 ? `${cycle.total_cycles ?? 1} times ` : '';
  return `a trial${lasts} for ${times}${displayMoney(price)}`;
}

function isTiered(cycle: BillingCycle | undefined): boolean {
  const model = cycle?.pricing_scheme?.pricing_model;
  return model === 'TIERED' || model === 'VOLUME';
}

function intervalOf({ frequency }: BillingCycle): PriceAtProvider['interval'] {
  const unit = PRICE_INTERVALS.find((known) => known === frequency.interval_unit.toLowerCase());
  return unit === undefined ? null : { unit, count: frequency.interval_count ?? 1 };
}

function taxOf({ taxes }: PricedPlan): PriceAtProvider['taxBehavior'] {
  const percentage = taxes?.percentage ?? '0';
  if (!/^\d{1,3}(\.\d{1,6})?$/.test(percentage) || parseDecimal(percentage) === 0n) return null;
  return taxes?.inclusive === false ? 'exclusive' : 'inclusive';
}
