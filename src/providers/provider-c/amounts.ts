import { currencyExponent, isCurrency } from '../../domain/currency';

/** Provider C counts every currency in hundredths, also those that have none (XOF, RWF). */
const PROVIDER_DECIMALS = 2;
const WHOLE_NUMBER = /^\d{1,18}$/;

/**
 * Provider C's amount, a whole number or its text, as minor units of the currency. Null when it is neither, when the
 * currency is not one in use, or when the amount is no whole number of minor units.
 */
export function minorUnits(amount: unknown, currency: unknown): bigint | null {
  if (typeof currency !== 'string' || !isCurrency(currency)) return null;
  const text = typeof amount === 'number' && Number.isSafeInteger(amount) ? String(amount) : amount;
  if (typeof text !== 'string' || !WHOLE_NUMBER.test(text)) return null;
  const shift = currencyExponent(currency) - PROVIDER_DECIMALS;
  if (shift >= 0) return BigInt(text + '0'.repeat(shift));
  const dropped = text.slice(shift);
  if (/[^0]/.test(dropped)) return null;
  return BigInt(text.slice(0, shift) || '0');
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
