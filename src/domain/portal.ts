/** What a customer's page shows and lets its customer do, beside the plan and its price. */
export const PORTAL_PARTS = [
  /** What is used of each quota, and credits. */
  'usage',
  'transactions',
  'payments',
  'planChange',
  'seatChange',
  'cancel',
  'reactivate',
  /** The way to pay what is open at a payment provider. */
  'pay',
] as const;
export type PortalPart = (typeof PORTAL_PARTS)[number];

/** What an environment has that has set nothing. */
export const DEFAULT_PORTAL_COLOUR = '#1d5fd1';

/**
 * Which of the parts a change of plan or seats needs.
 *
 * @param change what is asked for; `planSlug` is the plan that it names, if it names one
 */
export function partsOfChange(
  change: { planSlug?: string | undefined; seats?: number | undefined },
  now: { planSlug: string; seats: number },
): PortalPart[] {
  const parts: PortalPart[] = [];
  if (change.planSlug !== undefined && change.planSlug !== now.planSlug) parts.push('planChange');
  if (change.seats !== undefined && change.seats !== now.seats) parts.push('seatChange');
  return parts;
}

/** Whether a customer may choose the plan. @param plans slugs; null: each that is for sale */
export function mayChoosePlan(planSlug: string, plans: readonly string[] | null): boolean {
  return plans === null || plans.includes(planSlug);
}
