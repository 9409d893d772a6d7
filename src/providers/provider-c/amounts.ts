import { currencyExponent, isCurrency } from '../../domain/currency';
import { divideHalfEven } from '../../domain/tax';

/** Provider C counts every currency in hundredths, even those without decimals (XOF, RWF). */
const PROVIDER_DECIMALS = 2;
const WHOLE_NUMBER = /^\d{1,18}$/;

/**
 * Converts provider C's amount, a whole number or its text, to minor units of the currency. Null if it is neither, if
 * the currency is not in use, or if the amount is not a whole number of minor units.
 */
export function minorUnits(amount: unknown, currency: unknown): bigint | null {
  if (typeof currency !== 'string' || !isCurrency(currency)) return null;
  const hundredths = hundredthsOf(amount);
  if (hundredths === null) return null;
  const shift = currencyExponent(currency) - PROVIDER_DECIMALS;
  const factor = 10n ** BigInt(Math.abs(shift));
  if (shift >= 0) return hundredths * factor;
  return hundredths % factor === 0n ? hundredths / factor : null;
}

/** Returns provider C's amount unchanged, in hundredths; null if it is not a whole number. */
export function hundredthsOf(amount: unknown): bigint | null {
  const text = typeof amount === 'number' && Number.isSafeInteger(amount) ? String(amount) : amount;
  return typeof text === 'string' && WHOLE_NUMBER.test(text) ? BigInt(text) : null;
}

/**
 * Converts hundredths to minor units, rounded half-even. For a fee and the remainder after it, which may have fractions
 * that the currency lacks (XOF, RWF).
 *
 * @throws RangeError when the currency is not in use
 */
export function roundedUnits(hundredths: bigint, currency: string): bigint {
  const units = 10n ** BigInt(currencyExponent(currency));
  return divideHalfEven(hundredths * units, 10n ** BigInt(PROVIDER_DECIMALS));
}

/**
 * Converts minor units of the currency to provider C's whole number. Null if there is no such number: the currency is
 * not in use, the amount has parts smaller than hundredths, or it is negative or too large to be exact.
 */
export function providerAmount(minor: bigint, currency: string): number | null {
  if (!isCurrency(currency) || minor < 0n) return null;
  const shift = PROVIDER_DECIMALS - currencyExponent(currency);
  const factor = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && minor % factor !== 0n) return null;
  const amount = Number(shift < 0 ? minor / factor : minor * factor);
  return Number.isSafeInteger(amount) ? amount : null;
}
