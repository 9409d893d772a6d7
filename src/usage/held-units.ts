import { applyHold, type CreditBalance, type Deduction } from '../domain/access';
import type { Instant } from '../domain/instant';
import type { CountedSource } from './counted-source';
import { toTaken, type TakenDeduction } from './stored-deduction';
import type { HeldMember } from './usage-context-store';

/** A reservation that has not expired when a batch is decided. */
export interface HeldReservation {
  id: string;
  featureId: string;
  deductions: TakenDeduction[];
}

/** The reservations of the list that hold something at `now`. */
export function heldAt(members: readonly HeldMember[] | null, now: Instant): HeldReservation[] {
  return (members ?? [])
    .filter(({ expiresAt }) => Date.parse(expiresAt) > now)
    .map(({ id, featureId, deductions }) => ({ id, featureId, deductions: deductions.map(toTaken) }));
}

/** The deductions that reservations of the feature hold. */
export function heldOf(held: readonly HeldReservation[], featureId: string | null): Deduction[] {
  return held.filter((one) => one.featureId === featureId).flatMap(({ deductions }) => deductions);
}

/** A source with what is held of it. */
export function withHeld(source: CountedSource, held: readonly Deduction[]): CountedSource {
  if (held.length === 0) return source;
  return applyHold([source], [], held, 1n).sources[0] ?? source;
}

/** Grants with what reservations hold of them, whatever the feature. */
export function grantsWithHeld(
  grants: readonly CreditBalance[],
  held: readonly HeldReservation[],
): CreditBalance[] {
  const deductions = held.flatMap((one) => one.deductions);
  return applyHold([], grants, deductions, 1n).credits;
}
