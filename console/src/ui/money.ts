import { currencyExponent, isCurrency } from '../../../src/domain/currency.ts';
import { majorUnits } from '../../../src/domain/major-units.ts';
import { moneyInLocale } from '../../../src/domain/money-in-locale.ts';

/** Minor units as text, as in the API. */
interface Money {
  amount: string;
  currency: string;
}

/** Formats an amount as it is typed: `14.51`. */
export function toDecimal({ amount, currency }: Money): string {
  return majorUnits(amount, currency);
}

/** Returns what is wrong with a currency's code, for its field; null if it is one in use. */
export function currencyProblem(code: string): string | null {
  return isCurrency(code) ? null : 'Enter the code of a currency in use, such as USD.';
}

/** Maximum number of digits of an amount that the API accepts. */
const LONGEST = 18;

/**
 * Parses typed text as an exact amount: `14.5` in USD is `1450`. It is never converted to a number.
 *
 * @returns the amount, or what is wrong with it, for the field
 */
export function parseMoney(
  typed: string,
  currency: string,
): { money: Money; problem: null } | { money?: never; problem: string } {
  const unknown = currencyProblem(currency);
  if (unknown !== null) return { problem: unknown };
  const digits = currencyExponent(currency);
  const example = digits === 0 ? '1500' : `1500.${'0'.repeat(digits)}`;
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d*))?$/.exec(typed.trim()) ?? [];
  if (whole === undefined) return { problem: `Enter an amount such as ${example}, without separators.` };
  if (fraction.length > digits)
    return {
      problem:
        digits === 0
          ? `${currency} has no digits after the point.`
          : `${currency} has ${digits} digits after the point.`,
    };
  const amount = `${whole}${fraction.padEnd(digits, '0')}`.replace(/^0+(?=\d)/, '');
  if (amount.length > LONGEST) return { problem: 'The amount is too large.' };
  return { money: { amount, currency }, problem: null };
}

/** Formats an amount in the viewer's locale: `$14.51`. */
export function formatMoney(money: Money): string {
  return moneyInLocale(undefined, money);
}
