import { z } from 'zod';
import { decimalFromNumber, decimalPlaces } from '../domain/decimal';

/** The largest quantity, quota, cost or number of credits in one request. */
const LARGEST_QUANTITY = 1e12;
/** Maximum number of decimals of quantities, quotas and costs, so that the product of two is exact. */
const QUANTITY_DECIMALS = 6;

const quantity = z
  .number()
  .max(LARGEST_QUANTITY)
  .refine(hasFewDecimals, {
    error: `has more than ${QUANTITY_DECIMALS} decimals`,
    params: { fix: `Round it to at most ${QUANTITY_DECIMALS} decimals.` },
  })
  .meta({ description: 'At most six decimals.' });

/** A JSON number from 0 to 10^12 with at most six decimals. */
export const nonNegativeDecimal = quantity.min(0);

/** A JSON number above 0, up to 10^12, with at most six decimals. */
export const positiveDecimal = quantity.gt(0);

function hasFewDecimals(value: number): boolean {
  try {
    return decimalPlaces(decimalFromNumber(value)) <= QUANTITY_DECIMALS;
  } catch {
    // More than twelve decimals, or not a finite number.
    return false;
  }
}
