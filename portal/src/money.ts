import { currencyExponent } from '../../src/domain/currency.ts';
import { majorUnits } from '../../src/domain/major-units.ts';

/** Minor units as text, as the service has them. */
export interface Money {
  amount: string;
  currency: string;
}

/** An amount, exact, with the decimals that the service gives its currency: a browser leaves those of some out, such as HUF. */
export function moneyInLocale(locale: string, { amount, currency }: Money): string {
  const digits = currencyExponent(currency);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(majorUnits(amount, currency) as Intl.StringNumericLiteral);
}
