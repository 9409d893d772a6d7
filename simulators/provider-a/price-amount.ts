import type { Price } from './billing-records';
import { refused } from './problem';

/**
 * Returns the amount for a quantity of a price, in whole minor units, computed like the original's.
 *
 * @param currency one that the price supports
 */
export function amountOf(price: Price, wanted: number, currency: string): number {
  const quantity = transformed(price, wanted);
  if (price.tiers === undefined) return Math.round(unitAmount(price, currency) * quantity);
  return price.tiers_mode === 'volume' ? volume(price.tiers, quantity) : graduated(price.tiers, quantity);
}

/** Whether a price has an amount in a currency: its own, or one of its further currencies. */
export function isPricedIn({ currency, currency_options: options }: Price, wanted: string): boolean {
  return currency === wanted || options?.[wanted] !== undefined;
}

/** @throws Problem if the price is archived, so that it is neither sold nor changed to */
export function requireActive({ active }: Price): void {
  if (!active) throw refused('The price specified is inactive. This field only accepts active prices.');
}

function unitAmount(price: Price, currency: string): number {
  const further = currency === price.currency ? undefined : price.currency_options?.[currency];
  return further?.unit_amount ?? price.unit_amount ?? Number(price.unit_amount_decimal ?? 0);
}

function transformed({ transform_quantity: transform }: Price, quantity: number): number {
  if (transform === undefined || transform === null) return quantity;
  const { divide_by: by, round } = transform;
  return round === 'up' ? Math.ceil(quantity / by) : Math.floor(quantity / by);
}

type Tiers = NonNullable<Price['tiers']>;

/** Charges the whole quantity at the price of the tier that it reaches. */
function volume(tiers: Tiers, quantity: number): number {
  const reached = tiers.find(({ up_to: upTo }) => upTo === null || quantity <= upTo) ?? tiers.at(-1);
  return (reached?.unit_amount ?? 0) * quantity + (reached?.flat_amount ?? 0);
}

/** Charges each part of the quantity at the price of its own tier. */
function graduated(tiers: Tiers, quantity: number): number {
  let total = 0;
  let from = 0;
  for (const { up_to: upTo, unit_amount: unit, flat_amount: flat } of tiers) {
    if (quantity <= from) break;
    const counted = Math.min(quantity, upTo ?? quantity) - from;
    total += counted * (unit ?? 0) + (flat ?? 0);
    from = upTo ?? quantity;
  }
  return total;
}
