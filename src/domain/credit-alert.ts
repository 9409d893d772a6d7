import type { Decimal } from './decimal';

/** A grant that had not expired and was not empty before a use. Amounts are in credits. */
export interface HeldGrant {
  /** Credits granted. */
  amount: Decimal;
  /** Credits remaining after the use, including those that reservations hold. */
  remaining: Decimal;
  /** Whether the low credits were already notified while this grant was held. */
  notified: boolean;
}

/** Remaining credits that are low, and the total granted. */
export interface LowCredits {
  remaining: Decimal;
  granted: Decimal;
}

/**
 * Checks whether a use has left a customer low on credits: at most `percent` percent of the credits granted. This is
 * notified once; a grant that has not been notified, such as a new one, arms the alert again.
 *
 * @param percent null: never notified
 * @returns null if there is nothing to notify
 */
export function lowCredits(percent: number | null, held: readonly HeldGrant[]): LowCredits | null {
  if (percent === null || held.every(({ notified }) => notified)) return null;
  let remaining = 0n;
  let granted = 0n;
  for (const grant of held) {
    remaining += grant.remaining;
    granted += grant.amount;
  }
  return remaining * 100n <= BigInt(percent) * granted ? { remaining, granted } : null;
}
