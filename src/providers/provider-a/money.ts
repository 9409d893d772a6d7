import { currencyExponent, isCurrency } from '../../domain/currency';
import type { Money } from '../../domain/money';

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
  const ours = currencyExponent(code);
  const difference = ours - (PROVIDER_EXPONENTS.get(code) ?? ours);
  const factor = 10n ** BigInt(Math.abs(difference));
  const given = BigInt(amount);
  if (difference >= 0) return { amount: given * factor, currency: code };
  return given % factor === 0n ? { amount: given / factor, currency: code } : undefined;
}
