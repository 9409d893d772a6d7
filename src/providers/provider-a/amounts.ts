import Big from 'big.js';
import { currencyExponent, isCurrency } from '../../domain/currency';
import type { Money } from '../../domain/money';

const DECIMAL = /^\d{1,15}(?:\.\d{1,12})?$/;

/** Currencies whose amounts provider A gives in other decimals than the currency's own. */
const PROVIDER_EXPONENTS: ReadonlyMap<string, number> = new Map([
  // Sent in hundredths, for what was built when these still had them.
  ['ISK', 2],
  ['UGX', 2],
  // Treated as having no minor unit.
  ['MGA', 0],
]);

/**
 * An amount as provider A gives it, in our minor units. Undefined when it is not money that we know: another currency,
 * or a part of our minor unit.
 *
 * @param currency in small letters, as the provider writes it
 */
export function readMoney(amount: number, currency: string): Money | undefined {
  const code = currency.toUpperCase();
  if (!Number.isSafeInteger(amount) || !isCurrency(code)) return undefined;
  const read = shifted(BigInt(amount), decimalsLess(code));
  return read === undefined ? undefined : { amount: read, currency: code };
}

/**
 * A price as provider A gives it, which may be in parts of its unit (`150.5`), as decimal text of our minor units.
 * Undefined when it is no decimal, or of a currency that we do not know.
 *
 * @param currency in small letters, as the provider writes it
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
 * An amount in our minor units as provider A takes it. Undefined when it is nothing, or a part of the provider's unit,
 * or of a currency that we do not know. Of three decimals the provider takes amounts whose last one is 0 alone.
 */
export function writeMoney({ amount, currency }: Money): { amount: number; currency: string } | undefined {
  if (amount <= 0n || !isCurrency(currency)) return undefined;
  if (currencyExponent(currency) === 3 && amount % 10n !== 0n) return undefined;
  const written = shifted(amount, -decimalsLess(currency));
  if (written === undefined || written > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return { amount: Number(written), currency: currency.toLowerCase() };
}

/** How many decimals fewer the provider gives than the currency has. */
function decimalsLess(currency: string): number {
  const ours = currencyExponent(currency);
  return ours - (PROVIDER_EXPONENTS.get(currency) ?? ours);
}

function shifted(amount: bigint, decimals: number): bigint | undefined {
  const factor = 10n ** BigInt(Math.abs(decimals));
  if (decimals >= 0) return amount * factor;
  return amount % factor === 0n ? amount / factor : undefined;
}
