import { currencyExponent } from './currency';

/**
 * Converts minor units to exact decimal text in major units: `1451` is `14.51` in USD and `1451` in JPY. Text keeps
 * amounts exact that a number could not hold.
 *
 * @param minorUnits may have a fraction of a minor unit, as some providers' prices do: `150.5` is `1.505` in USD
 * @throws RangeError when the code is not a currency in use
 */
export function majorUnits(minorUnits: string, currency: string): string {
  const exponent = currencyExponent(currency);
  const sign = minorUnits.startsWith('-') ? '-' : '';
  const [units = '', part = ''] = minorUnits.slice(sign.length).split('.');
  const digits = units.padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const fraction = digits.slice(digits.length - exponent) + part;
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
