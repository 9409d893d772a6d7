import type { Logger } from 'pino';
import type { PlanPriceResource } from '../catalog/plan-price-resource';
import { classifyFailure } from '../db/failure';
import { isTollgateError } from '../domain/errors';
import type { PlanPrices } from './plan-price-service';

/**
 * Compares prices after a change that is committed. If that fails because the service is busy, it is logged and nothing
 * is listed: an error would say that the change was not made, and a creation would be repeated. The daily comparison
 * follows.
 */
export type PricesAfterChange = Pick<PlanPrices, 'ofConnection' | 'ofPlan'>;

export function createPricesAfterChange(planPrices: PricesAfterChange, log: Logger): PricesAfterChange {
  const orNothing = async (
    about: object,
    compare: () => Promise<PlanPriceResource[]>,
  ): Promise<PlanPriceResource[]> => {
    try {
      return await compare();
    } catch (error) {
      if (!isTollgateError(error) && classifyFailure(error) === 'defect') throw error;
      log.warn({ ...about, err: error }, 'the prices at the payment providers could not be compared');
      return [];
    }
  };
  return {
    ofConnection: (who, connectionId) =>
      orNothing({ connectionId }, () => planPrices.ofConnection(who, connectionId)),
    ofPlan: (who, planId) => orNothing({ planId }, () => planPrices.ofPlan(who, planId)),
  };
}
