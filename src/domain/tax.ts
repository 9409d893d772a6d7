import Big from 'big.js';
import { multiplyRate } from './money';
import type { Provider } from './provider';

export const TAX_BEHAVIORS = ['none', 'exclusive', 'inclusive'] as const;
/** `exclusive`: tax is added to prices; `inclusive`: prices contain it. */
export type TaxBehavior = (typeof TAX_BEHAVIORS)[number];

/** A tax rate that a workspace has entered manually. */
export interface TaxRate {
  name: string;
  /** A fraction as decimal text: "0.19" is 19 %. */
  rate: string;
  /** ISO 3166-1 alpha-2; without one, the rate applies to customers whose country has no rate, or is not known. */
  country?: string | undefined;
}

/** Tax of a period, as decided at the period's start. Several rates add up. */
export interface TaxSnapshot {
  behavior: TaxBehavior;
  rates: { name: string; rate: string }[];
}

/** A subtotal, the tax in it or on it, and the total to be paid. Minor units. */
export interface TaxedAmount {
  subtotal: bigint;
  tax: bigint;
  total: bigint;
}

/**
 * Returns the tax of a workspace for a customer: the rates of the customer's country or, if it has none, those
 * without a country.
 */
export function snapshotTax(
  settings: { taxBehavior: TaxBehavior; taxRates: readonly TaxRate[] },
  country: string | null,
): TaxSnapshot {
  const ofCountry = settings.taxRates.filter(
    (rate) => rate.country !== undefined && rate.country === country,
  );
  const applying =
    ofCountry.length > 0 ? ofCountry : settings.taxRates.filter((rate) => rate.country === undefined);
  const rates = settings.taxBehavior === 'none' ? [] : applying.map(({ name, rate }) => ({ name, rate }));
  return { behavior: settings.taxBehavior, rates };
}

/**
 * Returns the tax on a subscription's prices, as far as it is decided here: a payment provider charges its own price,
 * and taxes it by its own settings or not at all.
 */
export function taxChargedHere(provider: Provider, tax: TaxSnapshot): TaxSnapshot {
  return provider === 'internal' ? tax : { behavior: 'none', rates: [] };
}

/** Calculates the tax of a subtotal, rounded half-even to the minor unit, once for all rates together. */
export function applyTax(subtotal: bigint, { behavior, rates }: TaxSnapshot): TaxedAmount {
  const rate = rates.reduce((sum, one) => sum.plus(one.rate), new Big(0));
  switch (behavior) {
    case 'none':
      return { subtotal, tax: 0n, total: subtotal };
    case 'exclusive': {
      const tax = multiplyRate(subtotal, rate.toFixed());
      return { subtotal, tax, total: subtotal + tax };
    }
    case 'inclusive': {
      const tax = containedTax(subtotal, rate);
      return { subtotal, tax, total: subtotal };
    }
  }
}

/** Returns subtotal × rate / (1 + rate), exactly (rates have at most six decimals), then rounded half-even. */
function containedTax(subtotal: bigint, rate: Big): bigint {
  const scale = 10n ** 6n;
  const parts = BigInt(rate.times(scale.toString()).toFixed(0));
  return divideHalfEven(subtotal * parts, scale + parts);
}

/**
 * Divides whole numbers, rounding half-even.
 *
 * @param divisor above 0
 */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const floor = dividend / divisor - (dividend % divisor < 0n ? 1n : 0n);
  const twice = (dividend - floor * divisor) * 2n;
  if (twice > divisor || (twice === divisor && floor % 2n !== 0n)) return floor + 1n;
  return floor;
}
