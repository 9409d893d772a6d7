import type { Pricing } from './subscription-types';

/**
 * Returns the quantity of the plan's price that a provider bills: one for a flat plan, however many seats it has, and
 * otherwise the number of seats. The seats of a flat plan are stored only here.
 */
export function quantityAtProvider({ pricing, seats }: { pricing: Pricing; seats: number }): number {
  return pricing === 'flat' ? 1 : seats;
}
