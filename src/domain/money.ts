import Big from 'big.js';
import { isCurrency } from './currency';

/** An amount in minor units (cents for USD, yen for JPY) of an ISO 4217 currency. */
export interface Money {
  amount: bigint;
  currency: string;
}

/** Money on the wire. */
export interface MoneyText {
  amount: string;
  currency: string;
}

/** Enough for any sum of this service, and within a Postgres bigint. */
const AMOUNT_TEXT = /^-?\d{1,18}$/;
/** Largest amount that is recorded: 18 digits, as requests carry it. */
export const MAX_AMOUNT = 10n ** 18n - 1n;
/** Largest sum that can be stored: the maximum of a Postgres bigint. */
export const MAX_SUM = 2n ** 63n - 1n;
const RATE_TEXT = /^-?\d{1,18}(?:\.\d{1,18})?$/;

/**
 * Parses money from the wire: a whole number of minor units as text, and the code of a currency in use.
 * @throws RangeError when either is malformed.
 */
export function parseMoney(money: MoneyText): Money {
  if (!AMOUNT_TEXT.test(money.amount)) {
    throw new RangeError('The amount must be a whole number of minor units, as text of at most 18 digits.');
  }
  if (!isCurrency(money.currency)) {
    throw new RangeError('The currency must be an ISO 4217 code in capital letters.');
  }
  return { amount: BigInt(money.amount), currency: money.currency };
}

export function formatMoney(money: Money): MoneyText {
  return { amount: money.amount.toString(), currency: money.currency };
}

/**
 * Multiplies minor units by a rate given as decimal text (`0.19`), rounded half-even to the minor unit.
 * @throws RangeError when the rate is not plain decimal text.
 */
export function multiplyRate(amount: bigint, rateText: string): bigint {
  if (!RATE_TEXT.test(rateText)) throw new RangeError('The rate must be plain decimal text.');
  return BigInt(new Big(amount.toString()).times(rateText).round(0, Big.roundHalfEven).toFixed(0));
}
