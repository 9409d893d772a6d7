import type { Decimal } from './decimal';

/** Units a period that an entitlement gives: times the seats only where it says so; null is unlimited. */
export function effectiveQuota(quota: Decimal | null, perSeat: boolean, seats: number): Decimal | null {
  return quota === null || !perSeat ? quota : quota * BigInt(seats);
}
