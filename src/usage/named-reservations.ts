import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { PairState } from './pair-state';
import type { Confirmation, NamedReservationRow } from './reservation-store';
import { toTaken, type TakenDeduction } from './stored-deduction';
import type { UsageCall } from './usage-call';

/** The reservations that the tracks of a batch name, and which of them are confirmed. */
export class NamedReservations {
  readonly confirmations: Confirmation[] = [];
  private readonly rows: Map<string, NamedReservationRow>;

  constructor(
    rows: readonly NamedReservationRow[],
    private readonly now: Instant,
  ) {
    this.rows = new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * Returns what is held for the use: nothing if it names no reservation or an expired one, in which case it is decided
   * like any other use.
   *
   * @returns an error for a reservation that does not exist, belongs to something else, or has ended
   */
  heldFor(call: UsageCall, { customerId, featureId }: PairState): readonly TakenDeduction[] | TollgateError {
    if (call.reservationId === null) return [];
    const row = this.rows.get(call.reservationId);
    if (row === undefined || row.customerId !== customerId)
      return new TollgateError(
        'reservation_not_found',
        `${call.externalId} has no reservation "${call.reservationId}".`,
      );
    if (row.featureId !== featureId)
      return new TollgateError(
        'reservation_of_other_feature',
        `The reservation "${row.id}" holds units of another feature than ${call.feature}.`,
      );
    if (call.entity !== null && row.entity !== call.entity)
      return new TollgateError(
        'reservation_of_other_entity',
        `The reservation "${row.id}" holds units of ${row.entity === null ? 'no entity' : `"${row.entity}"`}.`,
      );
    if (row.status !== 'held')
      return new TollgateError('reservation_ended', `The reservation "${row.id}" was ${row.status}.`);
    return row.expiresAt > this.now ? row.deductions.map(toTaken) : [];
  }

  /** Returns the entity of the use: the one it names, or else that of its reservation. */
  entityOf({ entity, reservationId }: UsageCall): string | null {
    if (entity !== null || reservationId === null) return entity;
    return this.rows.get(reservationId)?.entity ?? null;
  }

  /** Confirms the reservation of a recorded use, so that nothing is held for it any longer. */
  confirm(call: UsageCall, eventId: string): void {
    const row = call.reservationId === null ? undefined : this.rows.get(call.reservationId);
    if (row === undefined) return;
    this.rows.set(row.id, { ...row, status: 'confirmed' });
    this.confirmations.push({ reservationId: row.id, eventId });
  }
}
