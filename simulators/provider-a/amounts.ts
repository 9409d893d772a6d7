import { refused } from './problem';

/** Smallest charged unit of each currency, because card networks support only two decimals or none. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ...['bhd', 'jod', 'kwd', 'omr', 'tnd'].map((currency) => [currency, 10] as const),
  ...['isk', 'ugx'].map((currency) => [currency, 100] as const),
]);

/** @throws Problem for an amount with more decimals than can be charged in its currency */
export function requireCharged(amount: number, currency: string): void {
  const step = stepOf(currency);
  if (amount % step === 0) return;
  throw refused(
    `Invalid amount. Charged amounts of ${currency.toUpperCase()} must be evenly divisible by ${step}.`,
    'invalid_charge_amount_no_decimal_compatible',
  );
}

/** Rounds a computed amount to one that can be charged in its currency. */
export function toCharged(amount: number, currency: string): number {
  const step = stepOf(currency);
  return Math.round(amount / step) * step;
}

function stepOf(currency: string): number {
  return STEPS.get(currency.toLowerCase()) ?? 1;
}
