import { currencyExponent } from '../../src/domain/currency.ts';

/** Minor units as text, as the service has them. */
export interface Money {
  amount: string;
  currency: string;
}

/** An amount, exact, with the decimals that the service gives its currency: a browser leaves those of some out, such as HUF. */
export function moneyInLocale(locale: string, { amount, currency }: Money): string {
  const digits = currencyExponent(currency);
  const sign = amount.startsWith('-') ? '-' : '';
  const all = amount.replace('-', '').padStart(digits + 1, '0');
  const whole = all.slice(0, all.length - digits);
  const decimal = digits === 0 ? whole : `${whole}.${all.slice(-digits)}`;
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(`${sign}${decimal}` as Intl.StringNumericLiteral);
}
