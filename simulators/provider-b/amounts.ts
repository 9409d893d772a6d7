import { unprocessable } from './problem';

/** Minor units as provider B counts them: its forints and Taiwan dollars have no decimals. */
export interface Amount {
  minor: bigint;
  currency: string;
}

export interface WrittenAmount {
  value: string;
  currency_code: string;
}

const WITHOUT_DECIMALS = new Set(['HUF', 'JPY', 'TWD']);
const CURRENCIES = new Set(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(
    ' ',
  ),
);

/** @throws ProviderProblem like provider B's refusal of an amount */
export function readAmount(written: WrittenAmount): Amount {
  return positive(readBalance(written));
}

/** Reads an amount that may be zero. @throws ProviderProblem like provider B's refusal of an amount */
export function readBalance({ value, currency_code: currency }: WrittenAmount): Amount {
  if (!CURRENCIES.has(currency)) {
    throw unprocessable('INVALID_CURRENCY_CODE', 'Currency code is invalid or is not currently supported.');
  }
  const match = /^(\d{1,9})(?:\.(\d+))?$/.exec(value);
  if (match === null) throw unprocessable('INVALID_PARAMETER_VALUE', 'The value of a field is invalid.');
  const [, whole = '', fraction = ''] = match;
  if (WITHOUT_DECIMALS.has(currency)) {
    if (fraction !== '') throw unprocessable('DECIMALS_NOT_SUPPORTED', 'Currency does not support decimals.');
    return { minor: BigInt(whole), currency };
  }
  if (fraction.length > 2) {
    throw unprocessable(
      'DECIMAL_PRECISION',
      'The value of the field should not be more than two decimal places.',
    );
  }
  return { minor: BigInt(whole + fraction.padEnd(2, '0')), currency };
}

function positive(amount: Amount): Amount {
  if (amount.minor > 0n) return amount;
  throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', 'Must be greater than zero.');
}

/** Writes `10.00`, or `100` if the currency has no decimals. */
export function writeAmount({ minor, currency }: Amount): WrittenAmount {
  return { value: decimalText(minor, currency), currency_code: currency };
}

/** Writes `10.0`: the shortest text with one decimal, as in subscriptions and events. */
export function writeShort({ minor, currency }: Amount): WrittenAmount {
  return { value: shortText(minor, currency), currency_code: currency };
}

/** Writes money in the format of the version 1 APIs. */
export function writeVersion1({ minor, currency }: Amount): { total: string; currency: string } {
  return { total: decimalText(minor, currency), currency };
}

export function shortText(minor: bigint, currency: string): string {
  return decimalText(minor, currency).replace(/(\.\d)0$/, '$1');
}

function decimalText(minor: bigint, currency: string): string {
  if (WITHOUT_DECIMALS.has(currency)) return minor.toString();
  const magnitude = (minor < 0n ? -minor : minor).toString().padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${magnitude.slice(0, -2)}.${magnitude.slice(-2)}`;
}

/** Returns provider B's fee for a payment: 3.49 % and a fixed part, never more than the amount. */
export function feeOf({ minor, currency }: Amount): bigint {
  const fee = (minor * 349n) / 10_000n + (WITHOUT_DECIMALS.has(currency) ? 5n : 49n);
  return fee < minor ? fee : minor;
}
