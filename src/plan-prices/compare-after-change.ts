import type { PlanPriceResource } from '../catalog/plan-price-resource';
import { classifyFailure } from '../db/failure';
import { isTollgateError } from '../domain/errors';

/**
 * Compares prices after a change that is committed. If that fails because the service is busy, nothing is listed: an
 * error would say that the change was not made, and a creation would be repeated. The daily comparison follows.
 */
export async function compareAfterChange(
  compare: () => Promise<PlanPriceResource[]>,
): Promise<PlanPriceResource[]> {
  try {
    return await compare();
  } catch (error) {
    if (!isTollgateError(error) && classifyFailure(error) === 'defect') throw error;
    return [];
  }
}
