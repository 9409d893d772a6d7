import Big from 'big.js';
import { currencyExponent, isCurrency } from '../../domain/currency';
import type { Money } from '../../domain/money';

const DECIMAL = /^\d{1,15}(?:\.\d{1,12})?$/;

/** Currencies for which provider A uses a different number of decimals than the currency itself. */
const PROVIDER_EXPONENTS: ReadonlyMap<string, number> = new Map([
  // Sent in hundredths, for integrations built when these currencies still had them.
  ['ISK', 2],
  ['UGX', 2],
  // Treated as having no minor unit.
  ['MGA', 0],
]);

/**
 * Converts an amount from provider A to our minor units. Undefined if we do not support the currency, or if the amount
 * is a fraction of our minor unit.
 *
 * @param currency in lower case, as the provider writes it
 */
export function readMoney(amount: number, currency: string): Money | undefined {
  const code = currency.toUpperCase();
  if (!Number.isSafeInteger(amount) || !isCurrency(code)) return undefined;
  const read = shifted(BigInt(amount), decimalsLess(code));
  return read === undefined ? undefined : { amount: read, currency: code };
}

/**
 * Converts a price from provider A, which may be a fraction of its unit (`150.5`), to decimal text in our minor units.
 * Undefined if it is not a decimal, or if we do not support the currency.
 *
 * @param currency in lower case, as the provider writes it
 */
export function readDecimalMoney(
  text: string,
  currency: string,
): { amount: string; currency: string } | undefined {
  const code = currency.toUpperCase();
  if (!DECIMAL.test(text) || !isCurrency(code)) return undefined;
  return { amount: new Big(text).times(new Big(10).pow(decimalsLess(code))).toFixed(), currency: code };
}

/**
 * Converts an amount in our minor units to provider A's form. Undefined if it is not positive, is a fraction of the
 * provider's unit, or if we do not support the currency. In three-decimal currencies the provider only takes amounts
 * whose last digit is 0.
 */
export function writeMoney({ amount, currency }: Money): { amount: number; currency: string } | undefined {
  if (amount <= 0n || !isCurrency(currency)) return undefined;
  if (currencyExponent(currency) === 3 && amount % 10n !== 0n) return undefined;
  const written = shifted(amount, -decimalsLess(currency));
  if (written === undefined || written > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return { amount: Number(written), currency: currency.toLowerCase() };
}

/** Returns how many decimals fewer the provider uses than the currency has. */
function decimalsLess(currency: string): number {
  const ours = currencyExponent(currency);
  return ours - (PROVIDER_EXPONENTS.get(currency) ?? ours);
}

function shifted(amount: bigint, decimals: number): bigint | undefined {
  const factor = 10n ** BigInt(Math.abs(decimals));
  if (decimals >= 0) return amount * factor;
  return amount % factor === 0n ? amount / factor : undefined;
}
