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

interface PlanAndSeats {
  planSlug: string;
  seats: number;
}

/**
 * Which of the parts a change of plan or seats needs: for what it asks for, and for what was planned and no longer happens
 * because of it. A withdrawal asks for nothing.
 *
 * @param change what is asked for; `planSlug` is the plan that it names, if it names one
 * @param planned what is scheduled, or waits for an approval
 */
export function partsOfChange(
  change: { planSlug?: string | undefined; seats?: number | undefined },
  now: PlanAndSeats,
  planned: PlanAndSeats | null,
): PortalPart[] {
  const to = { planSlug: change.planSlug ?? now.planSlug, seats: change.seats ?? now.seats };
  const concerns = (what: keyof PlanAndSeats): boolean => {
    const isDropped = planned !== null && planned[what] !== now[what] && planned[what] !== to[what];
    return to[what] !== now[what] || isDropped;
  };
  const parts: PortalPart[] = [];
  if (concerns('planSlug')) parts.push('planChange');
  if (concerns('seats')) parts.push('seatChange');
  return parts;
}

/** Whether all of the parts of a change are offered; of one that concerns neither, whether any is. */
export function offersChange(shows: readonly PortalPart[], parts: readonly PortalPart[]): boolean {
  if (parts.length === 0) return shows.includes('planChange') || shows.includes('seatChange');
  return parts.every((part) => shows.includes(part));
}

/** Whether a customer may choose the plan. @param plans slugs; null: each that is for sale */
export function mayChoosePlan(planSlug: string, plans: readonly string[] | null): boolean {
  return plans === null || plans.includes(planSlug);
}
