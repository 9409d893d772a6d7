import { givesTrials } from './capability-support';
import type { Provider } from './provider';

/** Reasons why a plan is not sold through a provider, in the order in which they are checked. */
export const SALE_OBSTACLES = [
  'plan_archived',
  'connection_disabled',
  'trial_unsupported',
  'plan_not_mapped',
  'plan_price_differs',
] as const;
export type SaleObstacle = (typeof SALE_OBSTACLES)[number];

/** Seller of a plan: local billing or a connection. */
export interface Seller {
  provider: Provider;
  disabled: boolean;
  /** Whether it has a reference for the plan; local billing needs none. */
  mapped: boolean;
  /** Whether the provider's price differed when it was last read. */
  priceDiffers: boolean;
}

/** A plan that is, or was, on sale. Times may have any form. */
interface ArchivablePlan {
  archivedAt: unknown;
  planGroup: { archivedAt: unknown };
}

/** Whether a plan takes new subscriptions: neither it nor its group is archived. */
export function isOnSale({ archivedAt, planGroup }: ArchivablePlan): boolean {
  return archivedAt === null && planGroup.archivedAt === null;
}

/**
 * Returns what prevents a plan from being sold, as far as that is known without asking the provider. A checkout reads
 * the provider's price again, and may also depend on the customer and the seats.
 *
 * @returns null if nothing prevents it
 */
export function saleObstacle(
  plan: ArchivablePlan & { trialDays: number },
  seller: Seller,
): SaleObstacle | null {
  if (!isOnSale(plan)) return 'plan_archived';
  if (seller.disabled) return 'connection_disabled';
  if (plan.trialDays > 0 && !givesTrials(seller.provider)) return 'trial_unsupported';
  if (!seller.mapped) return 'plan_not_mapped';
  return seller.priceDiffers ? 'plan_price_differs' : null;
}
