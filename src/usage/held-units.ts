import { applyHold, type CreditBalance, type Deduction } from '../domain/access';
import type { Instant } from '../domain/instant';
import { toTaken, type TakenDeduction } from './stored-deduction';
import type { HeldMember } from './usage-context-store';

/** A reservation that has not expired when a batch is decided. */
export interface HeldReservation {
  id: string;
  featureId: string;
  entity: string | null;
  deductions: TakenDeduction[];
}

/** What a reservation holds of one feature. */
export type HeldUnits = Pick<HeldReservation, 'entity'> & { deductions: readonly Deduction[] };

/** The reservations of the list that hold something at `now`. */
export function heldAt(members: readonly HeldMember[] | null, now: Instant): HeldReservation[] {
  return (members ?? [])
    .filter(({ expiresAt }) => Date.parse(expiresAt) > now)
    .map(({ deductions, ...one }) => ({ ...one, deductions: deductions.map(toTaken) }));
}

/** What reservations of the feature hold, by reservation. */
export function heldOf(held: readonly HeldReservation[], featureId: string | null): Map<string, HeldUnits> {
  const ofFeature = new Map<string, HeldUnits>();
  for (const one of held) if (one.featureId === featureId) ofFeature.set(one.id, one);
  return ofFeature;
}

/** Grants with what reservations hold of them, whatever the feature. */
export function grantsWithHeld(
  grants: readonly CreditBalance[],
  held: readonly HeldReservation[],
): CreditBalance[] {
  const deductions = held.flatMap((one) => one.deductions);
  return applyHold([], grants, deductions, 1n).credits;
}
