import { createdWithin } from '../db/created-within';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { CreationPart } from '../pagination/page-by-creation';
import type { WorkspaceScope } from '../tenancy/actor';

/** A reservation as stored. `held` does not take its expiry into account. */
export interface ReservationRow {
  id: string;
  customerId: string;
  externalId: string;
  feature: string;
  entity: string | null;
  /** Decimal text. */
  quantity: string;
  status: 'held' | 'confirmed' | 'released';
  createdAt: Instant;
  expiresAt: Instant;
  endedAt: Instant | null;
  eventId: string | null;
}

const COLUMNS = {
  id: 'r.id',
  customerId: 'r.customer_id',
  externalId: 'c.external_id',
  feature: 'f.key',
  entity: 'r.entity',
  quantity: 'r.quantity',
  status: 'r.status',
  createdAt: 'r.created_at',
  expiresAt: 'r.expires_at',
  endedAt: 'r.ended_at',
  eventId: 'r.event_id',
};

function rowsOf(trx: DbTransaction, scope: WorkspaceScope) {
  const tenant = (alias: string) =>
    Object.fromEntries(
      Object.entries(tenantColumns(scope)).map(([name, value]) => [`${alias}.${name}`, value]),
    );
  return trx('tollgate.usage_reservations as r')
    .join('tollgate.customers as c', 'c.id', 'r.customer_id')
    .join('tollgate.features as f', 'f.id', 'r.feature_id')
    .where({ ...tenant('r'), ...tenant('c'), ...tenant('f') });
}

export async function findReservation(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<ReservationRow | undefined> {
  return rowsOf(trx, scope).where('r.id', id).first<ReservationRow | undefined>(COLUMNS);
}

/** Lists a customer's reservations, newest first. */
export async function listReservations(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
  page: CreationPart,
): Promise<ReservationRow[]> {
  const query = rowsOf(trx, scope)
    .where('r.customer_id', customerId)
    // Implies the condition of usage_reservations_customer, which holds for every row.
    .whereRaw("r.created_at < 'infinity'")
    .orderBy([
      { column: 'r.created_at', order: 'desc' },
      { column: 'r.id', order: 'desc' },
    ])
    .limit(page.limit)
    .select<ReservationRow[]>(COLUMNS);
  createdWithin(query, 'r.created_at', page);
  if (page.before !== undefined) {
    const { createdAt, id } = page.before;
    void query.whereRaw('(r.created_at, r.id) < (?, ?)', [new Date(createdAt), id]);
  }
  return query;
}

/** Releases a held reservation. The customer's balances must be locked. */
export async function releaseReservation(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  now: Instant,
): Promise<void> {
  await trx('tollgate.usage_reservations')
    .where({ ...tenantColumns(scope), id, status: 'held' })
    .update({ status: 'released', ended_at: new Date(now) });
}
