import { PRICE_INTERVALS, TAX_BEHAVIORS, type PriceAtProvider } from '../../domain/plan-price-comparison';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { readOutcome } from './outcomes';
import { clientFor } from './client';
import { readDecimalMoney } from './amounts';
import { priceWire, type PriceWire } from './schemas';

export function fetchPlanPrice(
  access: ConnectionAccess,
  reference: string,
): Promise<Outcome<PriceAtProvider>> {
  return readOutcome(async () =>
    priceFacts(priceWire.parse(await clientFor(access).prices.retrieve(reference))),
  );
}

/** Translates a price into our terms. Any charge other than an amount per unit is reported as unverifiable. */
export function priceFacts(price: PriceWire): PriceAtProvider {
  const unverifiable = notByTheUnit(price);
  const interval = intervalOf(price.recurring);
  const code = price.currency?.toUpperCase() ?? null;
  const text = price.unit_amount_decimal ?? price.unit_amount?.toString();
  // An amount that is counted in another way is not the amount of a period.
  const money =
    unverifiable !== null || text === undefined || code === null ? undefined : readDecimalMoney(text, code);
  return {
    reference: price.id,
    amount: money?.amount ?? null,
    currency: code,
    interval,
    perSeat: true,
    taxBehavior: TAX_BEHAVIORS.find((known) => known === price.tax_behavior) ?? null,
    product: price.product,
    unverifiable,
  };
}

function notByTheUnit(price: PriceWire): PriceAtProvider['unverifiable'] {
  const what = `The price ${price.id}`;
  if (price.billing_scheme === 'tiered')
    return { code: 'tiered', reason: `${what} is tiered: what it charges depends on the quantity.` };
  if (price.recurring?.usage_type === 'metered')
    return { code: 'usage_based', reason: `${what} charges by metered usage.` };
  if (price.transform_quantity)
    return { code: 'quantity_transformed', reason: `${what} divides the quantity before it charges.` };
  if (price.custom_unit_amount)
    return { code: 'amount_chosen_by_customer', reason: `${what} lets the customer choose the amount.` };
  return null;
}

/** Returns null if not stated. */
function intervalOf(recurring: PriceWire['recurring']): PriceAtProvider['interval'] {
  if (recurring === undefined) return null;
  if (recurring === null) return 'once';
  const unit = PRICE_INTERVALS.find((known) => known === recurring.interval);
  return unit === undefined ? null : { unit, count: recurring.interval_count ?? 1 };
}
