import { applyHold } from './access-deductions';
import type { AccessSource, Deduction } from './access-types';
import type { Decimal } from './decimal';
import type { Instant } from './instant';

/**
 * Returns a source with the units that reservations hold of it: those counted in its own usage period, units of its
 * quota held by a later period, and units held of what earlier periods carry over to it.
 *
 * @param held the deductions of unexpired reservations of this feature and customer
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

/** Returns the held units of the quota of the usage period that begins at `start`. */
function heldOfQuota(held: readonly Deduction[], start: Instant): Decimal {
  let units = 0n;
  for (const one of held) {
    if (one.from === 'quota' && one.periodStart === start) units += one.quantity;
    if (one.from === 'rollover' && one.originStart === start) units += one.quantity;
  }
  return units;
}
