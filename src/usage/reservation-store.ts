import { plainArray, textArray, textOrNullArray } from '../db/parameters';
import type { Statement } from '../db/pipeline';
import { formatDecimal, type Decimal } from '../domain/decimal';
import { isoText, type Instant } from '../domain/instant';
import { jsonList } from '../events/developer-event-batch-store';
import type { WorkspaceScope } from '../tenancy/actor';
import type { StoredDeduction } from './stored-deduction';

/** A reservation that a track names, whatever its status. */
export interface NamedReservationRow {
  id: string;
  customerId: string;
  featureId: string;
  entity: string | null;
  status: 'held' | 'confirmed' | 'released';
  expiresAt: Instant;
  deductions: StoredDeduction[];
}

export function readReservations(scope: WorkspaceScope, ids: readonly string[]): Statement {
  return {
    name: 'usage-reservations',
    text: `SELECT r.id, r.customer_id AS "customerId", r.feature_id AS "featureId", r.entity, r.status,
                  r.expires_at AS "expiresAt", r.deductions
             FROM unnest($3::text[]) AS q (id)
            CROSS JOIN LATERAL (
              SELECT * FROM tollgate.usage_reservations
               WHERE workspace_id = $1 AND environment = $2 AND id = q.id LIMIT 1) AS r`,
    values: [scope.workspaceId, scope.environment, textArray(ids)],
  };
}

/** Units that a check holds. `deductions` is JSON text. */
export interface NewReservation {
  id: string;
  customerId: string;
  featureId: string;
  entity: string | null;
  quantity: Decimal;
  deductions: string;
  expiresAt: Instant;
}

/** Inserts the reservations, in place of what an earlier try of the same calls has committed without an answer. */
export function insertReservations(
  scope: WorkspaceScope,
  reservations: readonly NewReservation[],
  now: Instant,
): Statement {
  return {
    name: 'usage-reserve',
    text: `INSERT INTO tollgate.usage_reservations (workspace_id, environment, created_at, status, id, customer_id, feature_id,
             quantity, expires_at, entity, deductions)
           SELECT $1, $2, $3, 'held', r.*
             FROM unnest($4::text[], $5::text[], $6::text[], $7::numeric[], $8::timestamptz[], $9::text[],
                         string_to_array($10::text, chr(30))::json[]) AS r
           ON CONFLICT (workspace_id, environment, id) DO UPDATE
             SET created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at, deductions = EXCLUDED.deductions`,
    values: [
      scope.workspaceId,
      scope.environment,
      isoText(now),
      plainArray(reservations.map(({ id }) => id)),
      plainArray(reservations.map(({ customerId }) => customerId)),
      plainArray(reservations.map(({ featureId }) => featureId)),
      plainArray(reservations.map(({ quantity }) => formatDecimal(quantity))),
      plainArray(reservations.map(({ expiresAt }) => isoText(expiresAt))),
      textOrNullArray(reservations.map(({ entity }) => entity)),
      jsonList(reservations.map(({ deductions }) => deductions)),
    ],
  };
}

/** A reservation that a use has confirmed. */
export interface Confirmation {
  reservationId: string;
  eventId: string;
}

/**
 * Ends the confirmed reservations. If one is no longer held, the transaction is aborted (40001), because the decision
 * relied on it.
 */
export function confirmReservations(
  scope: WorkspaceScope,
  confirmations: readonly Confirmation[],
  now: Instant,
): Statement {
  return {
    name: 'usage-confirm',
    text: `WITH confirmed AS (
             UPDATE tollgate.usage_reservations
                SET status = 'confirmed', ended_at = $3, event_id = ($5::text[])[array_position($4::text[], id)]
              WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($4::text[]) AND status = 'held'
             RETURNING id)
           SELECT tollgate.assert_equal((SELECT count(*) FROM confirmed)::numeric, $6::numeric)`,
    values: [
      scope.workspaceId,
      scope.environment,
      isoText(now),
      plainArray(confirmations.map(({ reservationId }) => reservationId)),
      plainArray(confirmations.map(({ eventId }) => eventId)),
      String(confirmations.length),
    ],
  };
}
