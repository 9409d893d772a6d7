/** Parts of a customer's page: what it shows and allows, in addition to the plan and its price. */
export const PORTAL_PARTS = [
  /** Usage of each quota, and credits. */
  'usage',
  'transactions',
  'payments',
  'planChange',
  'seatChange',
  'cancel',
  'reactivate',
  /** Link to pay an open amount at a payment provider. */
  'pay',
] as const;
export type PortalPart = (typeof PORTAL_PARTS)[number];

/** Default of an environment that has set no colour. */
export const DEFAULT_PORTAL_COLOUR = '#1d5fd1';

interface PlanAndSeats {
  planSlug: string;
  seats: number;
}

/**
 * Returns which parts a change of plan or seats needs, both for what it requests and for a planned change that it
 * replaces. A withdrawal requests nothing.
 *
 * @param change what is requested; `planSlug` is the plan that it names, if any
 * @param planned what is scheduled or awaits approval
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

/** Whether all parts of a change are offered; for a change that needs neither, whether either is. */
export function offersChange(shows: readonly PortalPart[], parts: readonly PortalPart[]): boolean {
  if (parts.length === 0) return shows.includes('planChange') || shows.includes('seatChange');
  return parts.every((part) => shows.includes(part));
}

/**
 * Whether a customer may choose the plan.
 * @param plans slugs; null: every plan on sale
 */
export function mayChoosePlan(planSlug: string, plans: readonly string[] | null): boolean {
  return plans === null || plans.includes(planSlug);
}
