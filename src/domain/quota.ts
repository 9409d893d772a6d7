import type { Decimal } from './decimal';

/**
 * Returns the units per period that an entitlement grants, multiplied by the seats only if `perSeat`; null is
 * unlimited.
 */
export function effectiveQuota(quota: Decimal | null, perSeat: boolean, seats: number): Decimal | null {
  return quota === null || !perSeat ? quota : quota * BigInt(seats);
}
