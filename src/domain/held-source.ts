import { applyHold } from './access-deductions';
import type { AccessSource, Deduction } from './access-types';
import type { Decimal } from './decimal';
import type { Instant } from './instant';

/**
 * A source with what reservations hold of it: what counts in its own usage period, units of its quota that a later period
 * holds, and units that are held of what earlier periods leave to it.
 *
 * @param held the deductions of reservations that have not expired, of this feature and customer
 */
export function withHeld<S extends AccessSource>(source: S, held: readonly Deduction[]): S {
  if (held.length === 0) return source;
  const { subscriptionId, period } = source;
  const own = applyHold([source], [], held, 1n).sources[0] ?? source;
  const elsewhere = held.filter(
    (one) => one.subscriptionId === subscriptionId && one.periodStart !== period.start,
  );
  if (elsewhere.length === 0) return own;
  const carried = own.carried.map((lot) => {
    const units = heldOfQuota(elsewhere, lot.periodStart);
    return { ...lot, remaining: lot.remaining > units ? lot.remaining - units : 0n };
  });
  return { ...own, reservedQuota: own.reservedQuota + heldOfQuota(elsewhere, period.start), carried };
}

/** Units of the quota of the usage period that begins then. */
function heldOfQuota(held: readonly Deduction[], start: Instant): Decimal {
  let units = 0n;
  for (const one of held) {
    if (one.from === 'quota' && one.periodStart === start) units += one.quantity;
    if (one.from === 'rollover' && one.originStart === start) units += one.quantity;
  }
  return units;
}
