import { currencyExponent } from './currency';
import { majorUnits } from './major-units';

/**
 * An amount in a locale's way of writing, exact: `$14.51`; `$1.505` of `150.5`. It has the decimals of its currency here,
 * not those of a browser, which leaves those of some out, such as HUF.
 *
 * @param locale undefined: the viewer's
 * @param money minor units as text, as the API has them
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
