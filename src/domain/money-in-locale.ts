import { currencyExponent } from './currency';
import { majorUnits } from './major-units';

/**
 * Formats an amount in a locale's notation, exactly: `$14.51`, and `$1.505` for `150.5`. Uses our own number of
 * decimals per currency, because browsers drop the decimals of some currencies, such as HUF.
 *
 * @param locale undefined: the viewer's
 * @param money minor units as text, as the API returns them
 */
export function moneyInLocale(
  locale: string | undefined,
  { amount, currency }: { amount: string; currency: string },
): string {
  const digits = currencyExponent(currency);
  const [, part = ''] = amount.split('.');
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits + part.length,
  });
  return format.format(majorUnits(amount, currency) as Intl.StringNumericLiteral);
}
