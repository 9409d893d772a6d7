import { currencyExponent, isCurrency, stepAtProviderB } from '../../domain/currency';
import { majorUnits } from '../../domain/major-units';
import { ProviderBFailure } from './failure';

const AMOUNT = /^(-?)(\d{1,15})(?:\.(\d{1,12}))?$/;

/**
 * Converts provider B's decimal text (`60.0`, `100` for yen and forints) to our minor units. B may write more or fewer
 * decimals than a currency has; extra decimals must be zeros.
 *
 * @throws RangeError when the text is not an amount of this currency
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

/**
 * Formats our minor units as provider B requires: `60.00`, and `1500` for yen, forints and Taiwan dollars.
 *
 * @throws ProviderBFailure refused, when the currency is not in use, or the amount has decimals that B does not accept
 */
export function writeAmount(minor: bigint, currency: string): string {
  if (!isCurrency(currency)) throw notSupported(`${currency} is no currency in use.`);
  const text = majorUnits(minor.toString(), currency);
  const step = stepAtProviderB(currency);
  if (step === 1n) return text;
  if (minor % step !== 0n) throw notSupported(`Provider B takes no decimals of ${currency}.`);
  return text.slice(0, text.indexOf('.'));
}

function notSupported(message: string): ProviderBFailure {
  return new ProviderBFailure('refused', 'amount_not_supported', message);
}
