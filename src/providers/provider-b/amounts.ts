import { currencyExponent } from '../../domain/currency';

const AMOUNT = /^(-?)(\d{1,15})(?:\.(\d{1,12}))?$/;

/**
 * Provider B's decimal text (`60.0`, `100` for yen and forints) in our minor units. B writes more or fewer decimals
 * than a currency has; what it writes beyond them must be zeros.
 *
 * @throws RangeError when the text is no amount of this currency
 */
export function minorUnits(text: string, currency: string): bigint {
  const exponent = currencyExponent(currency);
  const match = AMOUNT.exec(text);
  if (match === null) throw new RangeError('Not a decimal amount.');
  const [, sign, whole = '', fraction = ''] = match;
  if (/[1-9]/.test(fraction.slice(exponent))) {
    throw new RangeError(`More than ${exponent} decimals of ${currency}.`);
  }
  const magnitude = BigInt(whole + fraction.slice(0, exponent).padEnd(exponent, '0'));
  return sign === '-' ? -magnitude : magnitude;
}
