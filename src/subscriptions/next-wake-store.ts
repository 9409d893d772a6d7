import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import { wakeAt } from '../domain/lifecycle';
import type { WorkspaceScope } from '../tenancy/actor';
import type { BilledSubscription } from './billed-subscription';
import {
  BILLED_COLUMNS,
  billedTables,
  toBilledSubscription,
  type BilledRow,
} from './billed-subscription-store';

/**
 * Locks the next open subscriptions after an id, unpaid checkouts included, and returns their ids in order. Waits for
 * concurrent writers, so that no row is read in an outdated state.
 */
export async function lockOpenSubscriptions(
  trx: DbTransaction,
  scope: WorkspaceScope,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await trx('tollgate.subscriptions')
    .where(tenantColumns(scope))
    .where('id', '>', after)
    .whereIn('status', ['incomplete', 'trialing', 'active', 'past_due'])
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .select<{ id: string }[]>('id');
  return rows.map(({ id }) => id);
}

/** Reads the subscriptions with these ids, in no order. */
export async function findBilledSubscriptionsOf(
  trx: DbTransaction,
  scope: WorkspaceScope,
  ids: readonly string[],
): Promise<BilledSubscription[]> {
  const { rows } = await trx.raw<{ rows: BilledRow[] }>(
    `SELECT ${BILLED_COLUMNS} ${billedTables()} AND s.id = ANY(:ids)`,
    { ...scope, ids: [...ids] },
  );
  return rows.map(toBilledSubscription);
}

/**
 * Writes the computed next wake of rows whose stored one differs; changes nothing else. A webhook wakes a provider's
 * row early: `woken` says that this wake has been handled.
 *
 * @returns the ids of the subscriptions whose wake has changed
 */
export async function writeNextWakes(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptions: readonly BilledSubscription[],
  seen: 'woken' | 'perhaps not woken',
): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `UPDATE tollgate.subscriptions AS s
        SET next_wake_at = CASE WHEN s.provider = 'internal' OR :woken THEN w.at ELSE least(s.next_wake_at, w.at) END
       FROM unnest(:ids::text[], :versions::bigint[], :ats::timestamptz[]) AS w (id, version, at)
      WHERE s.workspace_id = :workspaceId AND s.environment = :environment
        AND s.id = w.id AND s.version = w.version
        AND s.next_wake_at IS DISTINCT FROM
            CASE WHEN s.provider = 'internal' OR :woken THEN w.at ELSE least(s.next_wake_at, w.at) END
     RETURNING s.id`,
    {
      ...scope,
      woken: seen === 'woken',
      ids: subscriptions.map(({ id }) => id),
      versions: subscriptions.map(({ version }) => version.toString()),
      ats: subscriptions.map((subscription) => {
        const at = wakeAt(subscription);
        return at === null ? null : new Date(at).toISOString();
      }),
    },
  );
  return rows.map(({ id }) => id).sort();
}

/**
 * Makes the sweep find a subscription that its workflow should check, in case the outbox gives up.
 *
 * @param now the workspace's time
 */
export async function wakeSubscription(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  now: Instant,
): Promise<void> {
  await trx('tollgate.subscriptions')
    .where({ ...tenantColumns(scope), id })
    .update({ next_wake_at: new Date(now) });
}
