import { isOnSale } from '../../../../src/domain/plan-sale.ts';
import type { Plan } from '../../api/resources';

/** Describes whether a plan accepts new subscriptions, and why not. */
export function saleInWords(plan: Pick<Plan, 'archivedAt' | 'planGroup'>): string {
  if (isOnSale(plan)) return 'on sale';
  return plan.archivedAt === null ? 'not on sale: its group is archived' : 'archived';
}
