import type { Pricing } from './subscription-types';

/**
 * How often a provider bills the plan's price: once for a flat one, however many seats it has, and else for each seat.
 * A flat plan's seats are ours alone to keep.
 */
export function quantityAtProvider({ pricing, seats }: { pricing: Pricing; seats: number }): number {
  return pricing === 'flat' ? 1 : seats;
}
