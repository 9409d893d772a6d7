import { applyHold, type CreditBalance, type Deduction } from '../domain/access';
import type { Instant } from '../domain/instant';
import { mergeDeductions } from '../domain/reservation';
import { toTaken, type TakenDeduction } from './stored-deduction';
import type { HeldMember } from './usage-context-store';

/** A reservation that has not expired when a batch is decided. */
export interface HeldReservation {
  id: string;
  featureId: string;
  deductions: TakenDeduction[];
}

/** Returns the reservations of the list that hold something at `now`. */
export function heldAt(members: readonly HeldMember[] | null, now: Instant): HeldReservation[] {
  return (members ?? [])
    .filter(({ expiresAt }) => Date.parse(expiresAt) > now)
    .map(({ deductions, ...one }) => ({ ...one, deductions: deductions.map(toTaken) }));
}

/**
 * Sums of what reservations hold of a feature, because a customer may have thousands of reservations, and each use of a
 * batch needs their total.
 */
export class HeldOfFeature {
  /** By id of the reservation. */
  private readonly units = new Map<string, readonly Deduction[]>();
  private together: Deduction[];

  constructor(held: readonly HeldReservation[], featureId: string | null) {
    for (const { id, deductions, ...one } of held)
      if (one.featureId === featureId) this.units.set(id, deductions);
    this.together = this.units.size === 0 ? [] : mergeDeductions([...this.units.values()].flat());
  }

  /** Returns what all reservations hold together: one deduction per source. */
  all(): readonly Deduction[] {
    return this.together;
  }

  add(reservationId: string, held: readonly Deduction[]): void {
    this.units.set(reservationId, held);
    this.together = withMoreHeld(this.together, held);
  }

  /** @returns whether it was held */
  release(reservationId: string): boolean {
    const held = this.units.get(reservationId);
    if (held === undefined) return false;
    this.units.delete(reservationId);
    this.together = withLessHeld(this.together, held);
    return true;
  }
}

/** Returns what is held, one deduction per source, once a reservation holds more. */
export function withMoreHeld(held: readonly Deduction[], more: readonly Deduction[]): Deduction[] {
  return mergeDeductions([...held, ...more]);
}

/** Does the same once a reservation no longer holds its part. */
export function withLessHeld(held: readonly Deduction[], less: readonly Deduction[]): Deduction[] {
  return mergeDeductions([...held, ...less.map(negative)]);
}

function negative(deduction: Deduction): Deduction {
  const quantity = -deduction.quantity;
  return deduction.from === 'credits'
    ? { ...deduction, quantity, credits: -deduction.credits }
    : { ...deduction, quantity };
}

/** Returns the grants with what reservations hold of them, regardless of the feature. */
export function grantsWithHeld(
  grants: readonly CreditBalance[],
  held: readonly HeldReservation[],
): CreditBalance[] {
  const deductions = held.flatMap((one) => one.deductions);
  return applyHold([], grants, deductions, 1n).credits;
}
