import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { counterJoins, ENTITLED_COLUMNS, type EntitledRow } from '../usage/entitled-row-store';
import type { HeldReservation } from '../usage/held-units';
import { withCurrentCounters } from './current-counters';
import { toTaken, type StoredDeduction } from '../usage/stored-deduction';

/** One metered feature in the plan of one open subscription. */
export interface BalanceRow extends EntitledRow {
  feature: string;
  featureId: string;
}

const JOINS = counterJoins({
  tenant: [':workspaceId', ':environment'],
  customer: ':customerId',
  feature: 'f.id',
  counter: 'AND n.period_start <= :now',
});

/** Reads the rows by feature key, with the counters of the usage periods at `now`. */
export async function readBalanceRows(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
  now: Instant,
): Promise<BalanceRow[]> {
  const { rows } = await trx.raw<{ rows: BalanceRow[] }>(
    `SELECT f.key AS feature, f.id AS "featureId", ${ENTITLED_COLUMNS}
       FROM tollgate.subscriptions s
       JOIN tollgate.plans p
         ON p.workspace_id = :workspaceId AND p.environment = :environment AND p.id = s.plan_id
       JOIN tollgate.plan_entitlements e
         ON e.workspace_id = :workspaceId AND e.environment = :environment AND e.plan_id = s.plan_id
       JOIN tollgate.features f
         ON f.workspace_id = :workspaceId AND f.environment = :environment AND f.id = e.feature_id
       ${JOINS}
      WHERE s.workspace_id = :workspaceId AND s.environment = :environment AND s.customer_id = :customerId
        AND s.status IN ('trialing', 'active', 'past_due') AND f.kind = 'metered'
      ORDER BY f.key`,
    { workspaceId: scope.workspaceId, environment: scope.environment, customerId, now: new Date(now) },
  );
  return withCurrentCounters(trx, scope, customerId, rows, now);
}

/** Reads what reservations hold for the customer at `now`. */
export async function readHeld(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
  now: Instant,
): Promise<HeldReservation[]> {
  const rows = await trx('tollgate.usage_reservations')
    .where({ ...tenantColumns(scope), customer_id: customerId, status: 'held' })
    .where('expires_at', '>', new Date(now))
    .select<(Omit<HeldReservation, 'deductions'> & { deductions: StoredDeduction[] })[]>({
      id: 'id',
      featureId: 'feature_id',
      deductions: 'deductions',
    });
  return rows.map((row) => ({ ...row, deductions: row.deductions.map(toTaken) }));
}
