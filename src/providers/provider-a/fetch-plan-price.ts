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

/** A price in our words. What it charges beyond an amount for each unit is said to be unverifiable. */
export function priceFacts(price: PriceWire): PriceAtProvider {
  const unverifiable = notByTheUnit(price);
  const interval = intervalOf(price.recurring);
  const code = price.currency?.toUpperCase() ?? null;
  const text = price.unit_amount_decimal ?? price.unit_amount?.toString();
  // An amount that is counted otherwise is none of a period's.
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

/** Null where it is not stated. */
function intervalOf(recurring: PriceWire['recurring']): PriceAtProvider['interval'] {
  if (recurring === undefined) return null;
  if (recurring === null) return 'once';
  const unit = PRICE_INTERVALS.find((known) => known === recurring.interval);
  return unit === undefined ? null : { unit, count: recurring.interval_count ?? 1 };
}
