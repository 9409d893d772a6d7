import { decimalFromNumber, formatDecimal } from '../../../src/domain/decimal.ts';

/** Adds quantities of the API exactly. */
export function exactSum(quantities: readonly number[]): `${number}` {
  const sum = quantities.reduce((total, quantity) => total + decimalFromNumber(quantity), 0n);
  return formatDecimal(sum) as `${number}`;
}
