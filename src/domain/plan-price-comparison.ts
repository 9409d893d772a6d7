import { countInWords } from './count-in-words';
import { isCurrency } from './currency';
import { majorUnits } from './major-units';
import type { BillingInterval, Pricing } from './subscription-types';

/** Units in which providers specify how often a price is charged. */
export const PRICE_INTERVALS = ['hour', 'day', 'week', 'month', 'year'] as const;

/** How often a price is charged: every `count` units. */
export interface PriceInterval {
  unit: (typeof PRICE_INTERVALS)[number];
  count: number;
}

/** A plan's price here: minor units, per interval, and per seat if `per_seat`. */
export interface PlanPrice {
  price: { amount: bigint; currency: string };
  interval: BillingInterval;
  pricing: Pricing;
}

export const UNVERIFIABLE_PRICE_CODES = [
  'not_read',
  'not_stated',
  'tiered',
  'usage_based',
  'quantity_transformed',
  'amount_chosen_by_customer',
  'several_billing_cycles',
] as const;
type UnverifiablePriceCode = (typeof UNVERIFIABLE_PRICE_CODES)[number];

export const TAX_BEHAVIORS = ['inclusive', 'exclusive', 'unspecified'] as const;

/** The price that a provider has under one reference, in our terms. What the provider does not state is null. */
export interface PriceAtProvider {
  reference: string;
  /** Our minor units as decimal text; a provider may price in fractions of them (`150.5`). */
  amount: string | null;
  /** ISO 4217 in capital letters. */
  currency: string | null;
  /** `once` for a one-time price. */
  interval: PriceInterval | 'once' | null;
  /** Whether the amount can be charged for a quantity. */
  perSeat: boolean | null;
  taxBehavior: (typeof TAX_BEHAVIORS)[number] | null;
  /** The provider's product that the price belongs to. */
  product: string | null;
  /** What precedes the price, in words (`a free trial of 7 days`); omitted if nothing does. */
  before?: { trial?: string; setupFee?: string } | undefined;
  /** Why the members above do not describe the whole charge. */
  unverifiable: { code: UnverifiablePriceCode; reason: string } | null;
}

/**
 * The provider's answer to a query for a price. `refused`: it refused the credentials; `silent`: it did not answer, or
 * was not asked.
 */
export type PriceReading =
  | { kind: 'read'; price: PriceAtProvider }
  | { kind: 'unread'; reason: string; refused?: true; silent?: true };

export const PRICE_FIELDS = ['amount', 'currency', 'interval', 'pricing', 'trial', 'setupFee'] as const;
type PriceField = (typeof PRICE_FIELDS)[number];

/** One side of a comparison, as displayed. */
export interface PriceSide {
  /** Minor units as decimal text. */
  amount: string | null;
  currency: string | null;
  interval: PriceInterval['unit'] | 'once' | null;
  intervalCount: number | null;
  pricing: Pricing | null;
}

/**
 * `equal`: the provider charges what the plan says. `differs`: it certainly does not, in `fields`. `unverifiable`: the
 * provider's data cannot show either.
 */
export type PlanPriceComparison =
  | { result: 'equal'; local: PriceSide; provider: PriceSide }
  | { result: 'differs'; local: PriceSide; provider: PriceSide; fields: PriceField[]; words: string }
  | {
      result: 'unverifiable';
      local: PriceSide;
      provider: PriceSide | null;
      code: UnverifiablePriceCode;
      reason: string;
    };

/**
 * Compares amount, currency, interval and count of a plan with the price that its provider would charge. Also reports a
 * trial or setup fee of the provider's own, which no plan here has: our trials are requested by the checkout. A certain
 * difference takes precedence over what cannot be verified.
 */
export function comparePlanPrice(plan: PlanPrice, reading: PriceReading): PlanPriceComparison {
  const local = localSide(plan);
  if (reading.kind === 'unread') {
    return { result: 'unverifiable', local, provider: null, code: 'not_read', reason: reading.reason };
  }
  const { price } = reading;
  const provider = providerSide(price);
  const fields = PRICE_FIELDS.filter((field) => differs(field, plan, price));
  if (fields.length > 0) {
    const before = Object.values(price.before ?? {}).join(' and ');
    const there = priceInWords(provider) + (before === '' ? '' : `, after ${before}`);
    const words = `It costs ${priceInWords(local)} here; at the payment provider, it costs ${there}.`;
    return { result: 'differs', local, provider, fields, words };
  }
  const unverifiable = price.unverifiable ?? notStated(price);
  return unverifiable === null
    ? { result: 'equal', local, provider }
    : { result: 'unverifiable', local, provider, ...unverifiable };
}

/** Whether two intervals are the same length: a year is twelve months, and never 365 days. */
export function isSameInterval(one: PriceInterval, other: PriceInterval): boolean {
  const [a, b] = [inSmallerUnit(one), inSmallerUnit(other)];
  return a.unit === b.unit && a.count === b.count;
}

/** Returns a price for people: `39.00 USD a month a seat`, `99.00 EUR every 3 months`. */
export function priceInWords({ amount, currency, interval, intervalCount, pricing }: PriceSide): string {
  const money = amount === null ? 'an amount that is not stated' : amountInWords(amount, currency);
  const seat = pricing === 'per_seat' ? ' a seat' : '';
  if (interval === null) return money + seat;
  if (interval === 'once') return `${money}${seat} once`;
  return `${money} ${intervalInWords({ unit: interval, count: intervalCount ?? 1 })}${seat}`;
}

/** Returns a duration for people: `7 days`, `1 month`. */
export function timeInWords({ unit, count }: PriceInterval): string {
  return countInWords(count, unit);
}

function intervalInWords({ unit, count }: PriceInterval): string {
  if (count !== 1) return `every ${count} ${unit}s`;
  return unit === 'hour' ? 'an hour' : `a ${unit}`;
}

/** Converts decimal text of minor units to major units; without a known currency, the text is unchanged. */
function amountInWords(amount: string, currency: string | null): string {
  if (currency === null || !isCurrency(currency)) return `${amount} ${currency ?? ''}`.trimEnd();
  return `${majorUnits(amount, currency)} ${currency}`;
}

function localSide({ price, interval, pricing }: PlanPrice): PriceSide {
  const { amount, currency } = price;
  return { amount: amount.toString(), currency, interval, intervalCount: 1, pricing };
}

function providerSide({ amount, currency, interval, perSeat }: PriceAtProvider): PriceSide {
  const pricing = perSeat === null ? null : perSeat ? 'per_seat' : 'flat';
  const shared = { amount, currency, pricing } as const;
  if (interval === null || interval === 'once') return { ...shared, interval, intervalCount: null };
  return { ...shared, interval: interval.unit, intervalCount: interval.count };
}

/** A value that is not stated does not differ. A price that can be charged for a quantity can be charged once. */
function differs(field: PriceField, plan: PlanPrice, price: PriceAtProvider): boolean {
  switch (field) {
    case 'amount':
      return price.amount !== null && price.amount !== plan.price.amount.toString();
    case 'currency':
      return price.currency !== null && price.currency !== plan.price.currency;
    case 'interval':
      if (price.interval === null) return false;
      return price.interval === 'once' || !isSameInterval(price.interval, { unit: plan.interval, count: 1 });
    case 'pricing':
      return plan.pricing === 'per_seat' && price.perSeat === false;
    case 'trial':
    case 'setupFee':
      return price.before?.[field] !== undefined;
  }
}

function notStated({ amount, currency, interval }: PriceAtProvider): PriceAtProvider['unverifiable'] {
  const missing = Object.entries({ amount, currency, interval }).flatMap(([name, value]) =>
    value === null ? [name] : [],
  );
  if (missing.length === 0) return null;
  return {
    code: 'not_stated',
    reason: `The payment provider does not state the price’s ${missing.join(', ')}.`,
  };
}

function inSmallerUnit({ unit, count }: PriceInterval): PriceInterval {
  if (unit === 'year') return { unit: 'month', count: count * 12 };
  if (unit === 'week') return { unit: 'day', count: count * 7 };
  return { unit, count };
}
