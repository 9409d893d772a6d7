import type { z } from 'zod';
import { recordAudit } from '../audit/audit-store';
import { lockBalances } from '../customers/customer-lock-store';
import { findCustomer, requireCustomer } from '../customers/customer-store';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { mapPage, type Page } from '../pagination/cursor';
import { pageByCreation } from '../pagination/page-by-creation';
import type { listQuery } from '../schemas/list';
import type { Actor } from '../tenancy/actor';
import { toReservationResource, type ReservationResource } from './reservation-resource';
import { findReservation, listReservations, releaseReservation } from './reservation-row-store';

/** Units held for uses in progress. Checks create reservations, and tracks confirm them (src/usage). */
export interface Reservations {
  /** @throws TollgateError customer_not_found, cursor_invalid */
  list(
    actor: Actor,
    customerId: string,
    query: z.output<typeof listQuery>,
  ): Promise<Page<ReservationResource>>;
  /** @throws TollgateError reservation_not_found */
  get(actor: Actor, id: string): Promise<ReservationResource>;
  /**
   * Releases the units. A reservation that was released or has expired is unchanged. An operator who does it is
   * recorded: the application that holds the units does not know of it.
   *
   * @throws TollgateError reservation_not_found; reservation_ended if a track has confirmed it; service_busy
   */
  release(actor: Actor, id: string): Promise<ReservationResource>;
}

export function createReservations(options: { database: Database; cursorSecret: string }): Reservations {
  const { database, cursorSecret } = options;
  return {
    list: ({ scope, reason, now }, customerId, { take, cursor, from, to }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        requireCustomer(await findCustomer(trx, scope, { id: customerId }), customerId);
        const filters = { customerId };
        const list = { secret: cursorSecret, scope, list: 'reservations', filters, take, cursor, from, to };
        const page = await pageByCreation(list, (part) => listReservations(trx, scope, customerId, part));
        return mapPage(page, (row) => toReservationResource(row, now));
      }),

    get: ({ scope, reason, now }, id) =>
      inWorkspace(database, scope, reason, async (trx) =>
        toReservationResource(requireRow(await findReservation(trx, scope, id), id), now),
      ),

    release: (actor, id) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const { scope, now } = actor;
        const { externalId } = requireRow(await findReservation(trx, scope, id), id);
        await lockBalances(trx, scope, externalId);
        const row = requireRow(await findReservation(trx, scope, id), id);
        if (row.status === 'confirmed') {
          const detail = `The reservation "${id}" was confirmed by the usage event ${String(row.eventId)}.`;
          throw new TollgateError('reservation_ended', detail);
        }
        if (row.status === 'released' || row.expiresAt <= now) return toReservationResource(row, now);
        await releaseReservation(trx, scope, id, now);
        if (actor.reason === 'OPERATOR') {
          const { customerId, feature, quantity } = row;
          const detail = { customerId, feature, quantity };
          await recordAudit(trx, actor, { action: 'reservation.released', target: id, detail });
        }
        return toReservationResource({ ...row, status: 'released', endedAt: now }, now);
      }),
  };
}

function requireRow<Row>(row: Row | undefined, id: string): Row {
  if (row === undefined) throw new TollgateError('reservation_not_found', `There is no reservation "${id}".`);
  return row;
}
