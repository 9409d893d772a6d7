import { applyHold, type CreditBalance, type Deduction } from '../domain/access';
import type { Instant } from '../domain/instant';
import { mergeDeductions } from '../domain/reservation';
import { toTaken, type TakenDeduction } from './stored-deduction';
import type { HeldMember } from './usage-context-store';

/** A reservation that has not expired when a batch is decided. */
export interface HeldReservation {
  id: string;
  featureId: string;
  entity: string | null;
  deductions: TakenDeduction[];
}

/** Units of one feature that a reservation holds. */
export type HeldUnits = Pick<HeldReservation, 'entity'> & { deductions: readonly Deduction[] };

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
  private readonly units = new Map<string, HeldUnits>();
  private together: Deduction[];
  /** By entity, for the entities requested so far. */
  private readonly ofEntities = new Map<string, Deduction[]>();

  constructor(held: readonly HeldReservation[], featureId: string | null) {
    for (const one of held) if (one.featureId === featureId) this.units.set(one.id, one);
    this.together = this.summed(() => true);
  }

  /** Returns what all reservations hold together: one deduction per source. */
  all(): readonly Deduction[] {
    return this.together;
  }

  /** Returns what the reservations of an entity hold together. */
  of(entity: string): readonly Deduction[] {
    const known = this.ofEntities.get(entity);
    if (known !== undefined) return known;
    const held = this.summed((one) => one.entity === entity);
    this.ofEntities.set(entity, held);
    return held;
  }

  add(reservationId: string, held: HeldUnits): void {
    this.units.set(reservationId, held);
    this.move(held.entity, held.deductions);
  }

  /** @returns whether it was held */
  release(reservationId: string): boolean {
    const held = this.units.get(reservationId);
    if (held === undefined) return false;
    this.units.delete(reservationId);
    this.move(held.entity, held.deductions.map(negative));
    return true;
  }

  private move(entity: string | null, deductions: readonly Deduction[]): void {
    this.together = mergeDeductions([...this.together, ...deductions]);
    const known = entity === null ? undefined : this.ofEntities.get(entity);
    if (entity !== null && known !== undefined)
      this.ofEntities.set(entity, mergeDeductions([...known, ...deductions]));
  }

  private summed(isMeant: (one: HeldUnits) => boolean): Deduction[] {
    if (this.units.size === 0) return [];
    return mergeDeductions([...this.units.values()].flatMap((one) => (isMeant(one) ? one.deductions : [])));
  }
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
