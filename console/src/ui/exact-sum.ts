import { decimalFromNumber, formatDecimal } from '../../../src/domain/decimal.ts';

/** The sum of quantities of the API, every digit of it. */
export function exactSum(quantities: readonly number[]): `${number}` {
  const sum = quantities.reduce((total, quantity) => total + decimalFromNumber(quantity), 0n);
  return formatDecimal(sum) as `${number}`;
}
