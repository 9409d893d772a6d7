import type { Decimal } from './decimal';

/** A grant that had not expired and held something before a use. In credits. */
export interface HeldGrant {
  /** What was granted. */
  amount: Decimal;
  /** What is left of it after the use, whether reservations hold it or not. */
  remaining: Decimal;
  /** It was notified before that the customer's credits are low. */
  notified: boolean;
}

/** What is left of credits that are low, and of how much. */
export interface LowCredits {
  remaining: Decimal;
  granted: Decimal;
}

/**
 * Whether a use has left a customer with few credits: at most so many percent of what was granted. It is notified once;
 * a grant that was not notified, a new one, arms it again.
 *
 * @param percent null: it is never notified
 * @returns null where there is nothing to notify
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
