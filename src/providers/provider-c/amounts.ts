import { currencyExponent, isCurrency } from '../../domain/currency';
import { divideHalfEven } from '../../domain/tax';

/** Provider C counts every currency in hundredths, also those that have none (XOF, RWF). */
const PROVIDER_DECIMALS = 2;
const WHOLE_NUMBER = /^\d{1,18}$/;

/**
 * Provider C's amount, a whole number or its text, as minor units of the currency. Null when it is neither, when the
 * currency is not one in use, or when the amount is no whole number of minor units.
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

/** Provider C's amount as it is, in hundredths; null when it is no whole number. */
export function hundredthsOf(amount: unknown): bigint | null {
  const text = typeof amount === 'number' && Number.isSafeInteger(amount) ? String(amount) : amount;
  return typeof text === 'string' && WHOLE_NUMBER.test(text) ? BigInt(text) : null;
}

/**
 * Hundredths as minor units, rounded half-even: of a fee, and of what is left after it, that may have parts which the
 * currency has not (XOF, RWF).
 *
 * @throws RangeError when the currency is not one in use
 */
export function roundedUnits(hundredths: bigint, currency: string): bigint {
  const units = 10n ** BigInt(currencyExponent(currency));
  return divideHalfEven(hundredths * units, 10n ** BigInt(PROVIDER_DECIMALS));
}

/**
 * Minor units of the currency as provider C's whole number. Null when it has no such number: when the currency is not
 * one in use, when it has parts smaller than hundredths, or when the amount is negative or too large to be exact.
 */
export function providerAmount(minor: bigint, currency: string): number | null {
  if (!isCurrency(currency) || minor < 0n) return null;
  const shift = PROVIDER_DECIMALS - currencyExponent(currency);
  const factor = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && minor % factor !== 0n) return null;
  const amount = Number(shift < 0 ? minor / factor : minor * factor);
  return Number.isSafeInteger(amount) ? amount : null;
}
